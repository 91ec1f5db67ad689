import type { CountersignError } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { isTransient } from '../errors/errors.ts'
import type { Reading } from '../readings/createReading.ts'
import { readerOf } from '../readings/readerOf.ts'
import type { AsyncState } from '../state/AsyncState.ts'
import type { Store } from '../state/createStore.ts'
import { decode } from '../values/decode.ts'
import { encodeDates } from '../values/encodeDates.ts'
import { type Device, type KeptResult, keyOf } from './createDevice.ts'
import type { Present } from './createOfflineReading.ts'

/** Results that are kept for a user; the oldest go first. */
const mostResults = 100

/** Characters of the largest result that is kept. */
const mostCharacters = 1_000_000

/** The server does not respond, or fails. What it refuses, such as for a node or a rate limit, is shown as an error. */
const isSilent = ({ reason, status }: CountersignError) => reason === 'serverUnreachable' || status >= 500

type Parts = {
  readonly present: () => Present | undefined
  /** Changes with everything that is on the device. */
  readonly changes: Store<unknown>
}

/** Keeps the last result of a reading on the device, and shows it until the server has responded. */
export function keepReading(
  client: Client,
  key: string,
  made: Reading<unknown>,
  { present, changes }: Parts,
): Reading<unknown> {
  let shown:
    | { readonly of: AsyncState<unknown>; readonly kept: KeptResult; readonly state: AsyncState<unknown> }
    | undefined
  let stored: unknown

  function findDevice(): Device | undefined {
    const found = present()
    return found?.reader === readerOf(client) ? found?.device : undefined
  }

  const get = () => {
    const of = made.peek.get()
    if (of.data !== undefined || (of.error && !isSilent(of.error))) return of
    const kept = findDevice()?.resultOf(key)
    if (!kept) return of
    if (shown?.of !== of || shown.kept !== kept) {
      const before = shown?.kept === kept ? shown.state.data : decode(kept.data)
      const state = {
        status: 'success',
        data: before,
        isFetching: of.isFetching,
        isStale: true,
        readAt: kept.at,
      } as const
      shown = { of, kept, state }
    }
    return shown.state
  }

  function store(): void {
    const { data, error, isFetching } = made.peek.get()
    const device = findDevice()
    if (!device || isFetching || data === stored) return
    stored = data
    const changes: [string, unknown][] = []
    if (data !== undefined && !error) {
      const plain = encodeDates(data)
      const size = JSON.stringify(plain, (_, value) => (typeof value === 'bigint' ? String(value) : value)).length
      changes.push([keyOf.result(key), size <= mostCharacters ? { at: Date.now(), data: plain } : undefined])
      const others = device.listResults().filter(([name]) => name !== key)
      for (const [name] of others.slice(0, Math.max(0, others.length - mostResults + 1)))
        changes.push([keyOf.result(name), undefined])
      // The server does not show it any more.
    } else if (error && !isTransient(error) && device.resultOf(key)) changes.push([keyOf.result(key), undefined])
    // A full disk loses only what is kept.
    device.commit(changes).catch(() => undefined)
  }

  const watch =
    (subscribe: Reading<unknown>['subscribe']): Reading<unknown>['subscribe'] =>
    (listener, options) => {
      const notify = () => {
        store()
        listener()
      }
      const stops = [subscribe(notify, options), changes.subscribe(notify)]
      store()
      return () => {
        for (const stop of stops) stop()
      }
    }
  return { ...made, subscribe: watch(made.subscribe), peek: { get, subscribe: watch(made.peek.subscribe) } }
}
