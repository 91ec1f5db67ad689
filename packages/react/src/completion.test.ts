// @vitest-environment node
// What an editor offers while somebody writes, asked of the compiler's own language server.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const uri = pathToFileURL(join(root, 'types/completion.ts')).href

// Beside registered.ts, which registers the classes.
const head = `import { defineQuery, getDocument } from '../src/core.ts'
import { type Client, useDocument, useDocuments, useLiveDocuments } from '../src/index.ts'
declare const client: Client
`

/** The caret is where the bar stands. */
const asks = [
  'defineQuery(%',
  "getDocument(client, %, 'x'",
  "useDocument(%, 'x'",
  'useDocuments(%',
  'useLiveDocuments(%',
].map((ask) => ask.replace('%', "'Game'"))
const offered = { include: ['*', 'owner'], keys: ['$score', 'owner', 'title'], excludeKeys: ['owner', 'title'] }
const probes = asks.flatMap((ask) => [
  ...Object.entries(offered).map(([option, names]) => ({ line: `${ask}, { ${option}: ['|'] })`, names })),
  // One document has neither conditions nor an order.
  ...(ask.includes("'x'")
    ? []
    : [
        { line: `${ask}, { order: ['|'] })`, names: ['-score', 'createdAt', 'title'] },
        { line: `${ask}, { where: { | } })`, names: ['$or?', 'createdAt?', 'title?'] },
      ]),
])

type Message = { id?: number; method?: string; params?: { items?: unknown[] }; result?: unknown }

let server: ReturnType<typeof startLanguageServer>
beforeAll(async () => {
  server = startLanguageServer()
  await server.ask('initialize', { processId: process.pid, rootUri: pathToFileURL(root).href, capabilities: {} })
  server.notify('initialized', {})
  const text = head + probes.map(({ line }) => line.replace('|', '')).join('\n')
  server.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'typescript', version: 1, text } })
  // The first question takes its time, for all files are read.
  await server.ask('textDocument/hover', { textDocument: { uri }, position: { line: 0, character: 10 } })
})
afterAll(() => server.stop())

test.each(probes)('B4: an editor completes $line', async ({ line, names }) => {
  const position = {
    line: head.split('\n').length - 1 + probes.findIndex((probe) => probe.line === line),
    character: line.indexOf('|'),
  }
  const { result } = await server.ask('textDocument/completion', { textDocument: { uri }, position })
  const items = (result as { items?: { label: string }[] } | null)?.items ?? []
  expect(items.map(({ label }) => label)).toEqual(expect.arrayContaining(names))
})

function startLanguageServer() {
  const running = spawn(process.execPath, [join(root, '../../node_modules/typescript/bin/tsc'), '--lsp', '--stdio'], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const waiting = new Map<number, (message: Message) => void>()
  let count = 0
  let rest = Buffer.alloc(0)
  const send = (message: object) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    running.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  running.stdout.on('data', (part: Buffer) => {
    rest = Buffer.concat([rest, part])
    for (;;) {
      const end = rest.indexOf('\r\n\r\n')
      const length = Number(/Content-Length: (\d+)/.exec(rest.subarray(0, Math.max(end, 0)).toString())?.[1])
      if (end < 0 || rest.length < end + 4 + length) return
      const message: Message = JSON.parse(rest.subarray(end + 4, end + 4 + length).toString())
      rest = rest.subarray(end + 4 + length)
      // It requests settings, of which there are none.
      if (message.method && message.id !== undefined)
        send({ id: message.id, result: message.params?.items?.map(() => null) ?? null })
      else if (message.id !== undefined) waiting.get(message.id)?.(message)
    }
  })
  return {
    ask: (method: string, params: object) =>
      new Promise<Message>((resolve) => {
        waiting.set(++count, resolve)
        send({ id: count, method, params })
      }),
    notify: (method: string, params: object) => send({ method, params }),
    stop: () => running.kill(),
  }
}
