import { readFileSync, writeFileSync } from 'node:fs'
import type { FuzzRequest } from './createRequests.ts'
import type { FuzzActor, World } from './World.ts'

/** Request that reached a response of its own: kept, replayed at every run, and altered. */
export type KeptCase = FuzzRequest & { kind: FuzzActor['kind']; reached: string }

const file = new URL('corpus.jsonl', import.meta.url)
/** Longest request (characters of path, body and headers) that is kept. */
const longest = 250
/** Refusals before a handler runs: every endpoint has them. */
const common = new Set(['invalidInput', 'invalidJson', 'unauthorized', 'invalidSessionToken', 'textTooLong'])

export function readCorpus(): KeptCase[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as KeptCase)
}

export function writeCorpus(cases: KeptCase[]): void {
  const lines = cases.map((one) => JSON.stringify(one)).sort()
  writeFileSync(file, lines.length > 0 ? `${lines.join('\n')}\n` : '')
}

/** Remembers the responses that were reached, and the first request that reached each. */
export function createKeeper({ symbols }: World, known: readonly KeptCase[]) {
  const reached = new Set(known.map((one) => one.reached))
  const kept: KeptCase[] = []
  return {
    kept,
    note(request: FuzzRequest, { kind }: FuzzActor, status: number, text: string): void {
      const reason = /"reason":"(\w+)"/.exec(text)?.[1] ?? ''
      const place = `${request.endpoint} ${status} ${reason}`.trimEnd()
      const size = request.path.length + (request.body?.length ?? 0) + JSON.stringify(request.headers).length
      if (reached.has(place) || common.has(reason) || status === 429 || size > longest) return
      reached.add(place)
      let [path, body] = [request.path, request.body]
      for (const [value, label] of symbols) {
        path = path.replaceAll(value, `{{${label}}}`)
        body = body?.replaceAll(value, `{{${label}}}`)
      }
      kept.push({ ...request, path, ...(body !== undefined && { body }), kind, reached: place })
    },
  }
}

/** A kept request with the ids of this run. */
export function fillCase({ symbols }: World, { kind: _kind, reached: _reached, ...request }: KeptCase): FuzzRequest {
  let [path, body] = [request.path, request.body]
  for (const [value, label] of symbols) {
    path = path.replaceAll(`{{${label}}}`, value)
    body = body?.replaceAll(`{{${label}}}`, value)
  }
  return { ...request, path, ...(body !== undefined && { body }) }
}
