import { useCallback, useEffect, useInsertionEffect, useRef, useState } from 'react'
import { toMoralisError } from '../errors.ts'
import type { Loose } from '../Loose.ts'
import { type MoralisCallbacks, runCall } from '../runCall.ts'

export type UseResolveCallOptions = { autoFetch?: boolean }
export type ResolveCallOptions<Result, Params> = MoralisCallbacks<Result> & { params?: Params }

/** A new value, or a function that returns one or changes its copy. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that changes the copy returns nothing
export type SetData<Result> = (next: Result | ((before: Result) => Result | void)) => void

export type ResolveCall<Result, Params> = {
  fetch: (options?: ResolveCallOptions<Result, Params>) => Promise<Result | undefined>
  data: Result
  error: Error | null
  isFetching: boolean
  isLoading: boolean
  setData: SetData<Result>
}

type Wish<Result, Params> = {
  readonly call: (params: Params) => Promise<Result>
  readonly initialData: Result
  readonly params?: Params | undefined
  /** Fetches automatically, and again when `params` or `key` change. */
  readonly autoFetch: boolean
  readonly isReady: boolean
  readonly key?: unknown
  readonly validate?: (params: Params) => string | undefined
}

/** Common behavior of the fetching hooks. A result after a newer call, or after an unmount, is ignored. */
export function useResolveCall<Result, Params extends object>(wish: Wish<Result, Params>): ResolveCall<Result, Params> {
  const { initialData, autoFetch, isReady } = wish
  const [state, setState] = useState({ data: initialData, error: null as Error | null, isFetching: false })
  const latest = useRef(wish)
  const count = useRef(0)
  useInsertionEffect(() => {
    latest.current = wish
  })

  const fetch = useCallback(async ({ params, ...callbacks }: ResolveCallOptions<Result, Params> = {}) => {
    const { call, validate, initialData } = latest.current
    const merged = { ...latest.current.params, ...params } as Params
    const number = ++count.current
    const show = (changes: object) => {
      if (number === count.current) setState((before) => ({ ...before, ...changes }))
    }
    show({ isFetching: true, error: null })
    return runCall(callbacks, async () => {
      try {
        const problem = validate?.(merged)
        if (problem) throw new Error(problem)
        const data = await call(merged)
        show({ data, isFetching: false })
        return data
      } catch (error) {
        show({ data: initialData, error: toMoralisError(error), isFetching: false })
        throw error
      }
    })
  }, [])

  const key = `${write(wish.params)} ${write(wish.key)}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for what is asked
  useEffect(() => {
    if (isReady && autoFetch) void fetch()
  }, [fetch, isReady, autoFetch, key])
  // Ignores the response for an unmounted component.
  useEffect(
    () => () => {
      count.current++
    },
    [],
  )

  const setData = useCallback<SetData<Result>>((next) => {
    setState((before) => ({ ...before, data: change(before.data, next) }))
  }, [])
  const { data, error, isFetching } = state
  const isEmpty = data == null || (Array.isArray(data) && data.length === 0)
  return { fetch, data, error, isFetching, isLoading: isFetching && isEmpty, setData }
}

function change<Result>(before: Result, next: Loose): Result {
  if (typeof next !== 'function') return next
  const copy: Loose = Array.isArray(before) ? [...before] : isPlain(before) ? { ...before } : before
  return next(copy) ?? copy
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** Key that is equal for equal parameters. */
function write(value: unknown): string {
  return JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? `${item}n` : item)) ?? ''
}
