import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { Body } from '../../endpoint/Endpoint.ts'
import type { HeldBody } from './createBodies.ts'
import { cutOutContent } from './cutOutContent.ts'
import type { Exchange, Gate } from './Exchange.ts'
import { readBody } from './readBody.ts'
import { readInflated } from './readInflated.ts'

/** Bytes of a body after which other requests have their turn. */
const longRead = 64 * 1024

/** Reads the body. A file is passed on unread if the headers name the sender. */
export async function takeBody(gate: Gate, exchange: Exchange, isNamed: boolean): Promise<Body> {
  const { request, first, sent, stream } = exchange
  const { config } = gate.context
  // As the older clients have it: keys in headers mean that the body is the file, keys in the body that it is JSON.
  if (isNamed && first?.endpoint.takesFile) {
    sent.stream = stream as Readable
    return {}
  }
  // Claims in the body count as well.
  exchange.claims = undefined
  exchange.held = await holdBody(gate, exchange)
  const { content } = exchange.held
  const cut = first?.endpoint.takesFile ? cutOutContent(content, config.jsonLimit) : { rest: content }
  if (cut.content) sent.base64 = cut.content
  const body = readBody(cut.rest, request.headers['content-type'], config.jsonLimit)
  if (cut.rest.length > longRead) await setImmediate()
  return body
}

function holdBody({ context: { config }, bodies }: Gate, { request, first, stream }: Exchange): Promise<HeldBody> {
  const largest = first?.endpoint.takesFile ? config.maxUploadSize : Math.min(config.jsonLimit, config.maxUploadSize)
  const promised = request.headers['content-length']
  const encoding = request.headers['content-encoding']
  const length = promised === undefined ? undefined : Number(promised)
  return readInflated(bodies, stream as Readable, encoding, largest, length)
}
