import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { CountersignError, type EndpointTypes } from '@countersign/protocol'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { respond } from '../endpoint/respond.ts'

export const getConnectionEndpoint = defineEndpoint('getConnection', {
  async handle({ context: { clock }, caller, sent }) {
    const said = (name: string) => {
      const value = sent.headers[name]
      return typeof value === 'string' ? value.slice(0, 200) : undefined
    }
    const forwardedFor = said('x-forwarded-for')
    const forwardedProto = said('x-forwarded-proto')
    const forwardedHost = said('x-forwarded-host')
    return {
      address: caller.ipAddress,
      isForwarded: caller.isForwarded ?? false,
      host: said('host') ?? '',
      ...(forwardedFor !== undefined && { forwardedFor }),
      ...(forwardedProto !== undefined && { forwardedProto }),
      ...(forwardedHost !== undefined && { forwardedHost }),
      time: clock.now().toISOString(),
    }
  },
})

const mostProbed = 16 * 1024 * 1024
/** Pause (ms) in the response: a proxy that stores it first delivers both halves at once. */
const gap = 1_000

export const probeConnectionEndpoint = defineEndpoint('probeConnection', {
  takesFile: true,
  streams: true,
  async handle({ sent }) {
    const began = performance.now()
    let size = 0
    for await (const chunk of sent.stream ?? []) {
      size += chunk.length
      if (size > mostProbed) throw new CountersignError('ObjectTooLarge', 'The probe is larger than 16 MB.')
    }
    const arrival = Math.round(performance.now() - began)
    return respond(Readable.from(writeSlowly({ size, arrival }), { objectMode: false }) as object as Probe, {
      headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
    })
  },
})

type Probe = EndpointTypes['probeConnection']['output']

async function* writeSlowly(probe: Probe): AsyncGenerator<string> {
  const text = JSON.stringify(probe)
  yield text.slice(0, 1)
  await pause(gap)
  yield text.slice(1)
}
