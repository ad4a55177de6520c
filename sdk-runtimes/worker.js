import { smoke } from './smoke.js'

export default {
  fetch: async (request) => Response.json(await smoke(await request.json())),
}
