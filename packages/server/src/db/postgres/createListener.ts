import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Backend } from '../Backend.ts'
import { channelName } from '../channelName.ts'
import type { DatabaseLogger } from '../DatabaseLogger.ts'

type Parts = { connect: () => Promise<Client>; logger?: DatabaseLogger | undefined }

type Subscriber = { handle: (payload: string) => void; missed: () => void }

const PROBE_EVERY = 2_000
const PROBE_WITHIN = 2_000
const LONGEST_PAUSE = 2_000

/** One connection for the notifications of all channels. It is opened at the first use and replaced when it dies. */
export const createListener = ({ connect, logger }: Parts): Pick<Backend, 'listen' | 'listening' | 'close'> => {
  const channels = new Map<string, Set<Subscriber>>()
  let client: Client | undefined
  let opening: Promise<void> | undefined
  let lapsed = false
  let closed = false

  const lose = (lost: Client) => {
    if (client !== lost) return
    client = undefined
    if (closed) return
    lapsed = true
    logger?.warn({}, 'The connection for notifications was lost')
    void reopen()
  }

  const probe = async (watched: Client) => {
    while (client === watched) {
      await pause(PROBE_EVERY, undefined, { ref: false })
      if (client !== watched) return
      const answered = await Promise.race([
        watched.query('select 1').then(
          () => true,
          () => false,
        ),
        pause(PROBE_WITHIN, false, { ref: false }),
      ])
      if (answered) continue
      lose(watched)
      // A dead peer answers no goodbye either.
      watched.connection.stream.destroy()
    }
  }

  const open = async () => {
    const opened = await connect()
    try {
      opened.on('notification', ({ channel, payload = '' }) => {
        for (const { handle } of channels.get(channel) ?? []) handle(payload)
      })
      // Channels that are added meanwhile are listened to as well before notifications count as trustworthy.
      const heard = new Set<string>()
      for (;;) {
        const missing = [...channels.keys()].filter((channel) => !heard.has(channel))
        if (missing.length === 0) break
        await opened.query(missing.map((channel) => `listen ${channel}`).join('; '))
        for (const channel of missing) heard.add(channel)
      }
    } catch (error) {
      opened.connection.stream.destroy()
      throw error
    }
    if (closed) return void opened.end()
    client = opened
    opened.once('end', () => lose(opened))
    void probe(opened)
    if (!lapsed) return
    lapsed = false
    logger?.info({}, 'Notifications arrive again')
    for (const subscribers of channels.values()) for (const { missed } of subscribers) missed()
  }

  const reopen = async () => {
    for (let tries = 0; !closed && !client; tries++) {
      await open().catch(() => {})
      if (!client) await pause(Math.min(LONGEST_PAUSE, 50 * 2 ** tries), undefined, { ref: false })
    }
  }

  const ensureOpen = () => {
    opening ??= open().finally(() => {
      opening = undefined
    })
    return opening
  }

  return {
    listen: async (channel, handle, missed) => {
      const name = channelName(channel)
      const subscriber = { handle, missed }
      const subscribers = channels.get(name) ?? new Set()
      const known = channels.has(name)
      channels.set(name, subscribers.add(subscriber))
      if (client && !known) await client.query(`listen ${name}`)
      else if (!client && !lapsed) await ensureOpen()
      return async () => {
        subscribers.delete(subscriber)
        if (subscribers.size > 0 || channels.get(name) !== subscribers) return
        channels.delete(name)
        await client?.query(`unlisten ${name}`).catch(() => {})
      }
    },
    listening: () => client !== undefined,
    close: async () => {
      closed = true
      await client?.end()
      client = undefined
    },
  }
}
