import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { channelName } from '../channelName.ts'
import type { Backend, DatabaseLogger } from '../Database.ts'
import { DatabaseUnavailable, translateError } from '../databaseErrors.ts'
import { endClient, watchConnection } from './createPipelines.ts'

type Parts = { connect: () => Promise<Client>; logger?: DatabaseLogger | undefined }

type Subscriber = { handle: (payload: string) => void; missed: () => void }

const LONGEST_PAUSE = 500
// Together under five seconds: within that time a silent loss is known.
const WATCH = { every: 2_000, within: 2_000 }

/** One connection for the notifications of all channels, opened at the first use and replaced when it is lost. */
export function createListener({ connect, logger }: Parts): Pick<Backend, 'listen' | 'listening' | 'close'> {
  const channels = new Map<string, Set<Subscriber>>()
  let client: Client | undefined
  let opening: Promise<void> | undefined
  let lapsed = false
  let closed = false

  const hearAll = async (opened: Client) => {
    const heard = new Set<string>()
    // Channels may be added in between.
    for (;;) {
      const missing = [...channels.keys()].filter((channel) => !heard.has(channel))
      if (missing.length === 0) return
      await opened.query(missing.map((channel) => `listen ${channel}`).join('; '))
      for (const channel of missing) heard.add(channel)
    }
  }

  const open = async () => {
    const opened = await connect()
    opened.on('notification', ({ channel, payload = '' }) => {
      for (const { handle } of channels.get(channel) ?? []) handle(payload)
    })
    try {
      const heard = hearAll(opened).then(() => true)
      // A vanished peer would be waited for until TCP gives up.
      if (!(await Promise.race([heard, pause(WATCH.within, false, { ref: false })]))) {
        heard.catch(() => {})
        throw new DatabaseUnavailable('The database does not respond.')
      }
      if (closed) throw new DatabaseUnavailable('The database is closed.')
    } catch (error) {
      await endClient(opened)
      throw error
    }
    client = opened
    watchConnection(opened, {
      ...WATCH,
      onLost: () => {
        client = undefined
        if (closed) return
        lapsed = true
        logger?.warn({}, 'The connection for notifications was lost')
        void reopen()
      },
    })
    if (!lapsed) return
    lapsed = false
    logger?.info({}, 'Notifications arrive again')
    for (const subscribers of channels.values()) for (const { missed } of subscribers) missed()
  }

  const ensureOpen = () => {
    opening ??= open().finally(() => {
      opening = undefined
    })
    return opening
  }

  const reopen = async () => {
    for (let tries = 0; !closed && !client; tries++) {
      await ensureOpen().catch(() => pause(Math.min(LONGEST_PAUSE, 50 * 2 ** tries), undefined, { ref: false }))
    }
  }

  const hear = async (channel: string, known: boolean) => {
    if (closed) throw new DatabaseUnavailable('The database is closed.')
    // While it is lost, reopening hears all channels that are wanted by then.
    if (!client) return lapsed ? undefined : ensureOpen()
    if (!known) await client.query(`listen ${channel}`)
  }

  return {
    listen: async (channel, handle, missed) => {
      const name = channelName(channel)
      const subscriber = { handle, missed }
      const known = channels.get(name)
      const subscribers = known ?? new Set()
      channels.set(name, subscribers.add(subscriber))

      const stop = async () => {
        subscribers.delete(subscriber)
        if (subscribers.size > 0 || channels.get(name) !== subscribers) return
        channels.delete(name)
        await client?.query(`unlisten ${name}`).catch(() => {})
      }

      try {
        await hear(name, known !== undefined)
      } catch (error) {
        await stop()
        throw translateError(error)
      }
      return stop
    },
    listening: () => client !== undefined,
    close: async () => {
      closed = true
      if (client) await endClient(client)
    },
  }
}
