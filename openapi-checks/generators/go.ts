import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Generator, documentPath, isInstalled, run } from './check.ts'

export const goVersion = '2.8.2'

const generator = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${goVersion}`

/** oapi-codegen. It drops what only webhooks reference, and then does not compile, unless pruning is off. */
export const goClient: Generator = async (folder, given) => {
  if (!(await isInstalled('go', 'version'))) return undefined
  await writeFile(join(folder, 'oapi-codegen.yaml'), config)
  await writeFile(join(folder, 'main.go'), program)
  await run('go', ['mod', 'init', 'example.com/venue'], { cwd: folder })
  await run('go', ['run', generator, '-config', 'oapi-codegen.yaml', documentPath], { cwd: folder })
  await run('go', ['get', 'github.com/oapi-codegen/runtime@v1.8.0'], { cwd: folder })
  await run('go', ['build', '-o', 'use', '.'], { cwd: folder })
  return JSON.parse(await run(join(folder, 'use'), [JSON.stringify(given)], { cwd: folder }))
}

const config = `package: main
output: client.go
generate:
  models: true
  client: true
output-options:
  skip-prune: true
`

const program = `package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

func main() {
	var given struct{ BaseUrl, Key, Title string }
	check(json.Unmarshal([]byte(os.Args[1]), &given))
	client, err := NewClientWithResponses(given.BaseUrl, WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("X-Service-Key", given.Key)
			return nil
		}))
	check(err)
	account, err := client.MeWithResponse(context.Background())
	check(err)
	made, err := client.CreateTaskWithResponse(context.Background(), nil, CreateTaskJSONRequestBody{Title: given.Title})
	check(err)
	answer, err := json.Marshal(map[string]any{"venue": account.JSON200.Venue.Slug, "task": made.JSON201.Task.Title})
	check(err)
	fmt.Println(string(answer))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
`
