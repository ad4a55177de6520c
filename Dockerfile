# The service without the embedded database: it wants DATABASE_URL and SECRETS (see compose.yml).
FROM node:24-bookworm-slim AS install
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY bench/package.json bench/
COPY sdk/package.json sdk/
COPY conformance/package.json conformance/
COPY mcp/package.json mcp/
COPY cli/package.json cli/
# Brings Node 26 from the registry too; what only development or the clients need stays out.
RUN npm ci --omit=dev --workspace=server --include-workspace-root

# The packages that the service has at /docs/tools: made here, since the service's own file system may be read-only.
FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY . .
RUN npm ci && npm run pack

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
RUN mkdir /data && chown node:node /data
COPY --from=install /app/node_modules node_modules
COPY package.json project-node.cjs ./
COPY bin bin
COPY contract contract
COPY server server
# The service shows the guides and the READMEs of the packages at /docs, and files to take along.
COPY docs docs
COPY sdk/README.md sdk/
COPY sdk-python/README.md sdk-python/
COPY cli/README.md cli/
COPY mcp/README.md mcp/
COPY connectors/README.md connectors/
COPY connectors/n8n/README.md connectors/n8n/
COPY connectors/zapier/README.md connectors/zapier/
COPY connectors/google-sheets connectors/google-sheets
COPY connectors/postman/README.md connectors/postman/
COPY connectors/bruno/README.md connectors/bruno/
COPY conformance/README.md conformance/
COPY examples examples
COPY --from=packages /app/packed packed
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/readyz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
# The program itself is process 1, so that a stop reaches it and it can drain.
CMD ["sh", "-c", "exec \"$(node project-node.cjs)\" --max-semi-space-size=16 --heap-growing-percent=100 server/main.ts"]
