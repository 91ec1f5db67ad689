import type { Row } from './readOrder.ts'

type FetchingParts = {
  readonly read: (signal: AbortSignal, ids: readonly string[]) => Promise<readonly Row[]>
  /** The row as the server has it; none, if it did not find it. */
  readonly settle: (objectId: string, row: Row | undefined) => void
  readonly fail: () => void
}

type Fetching = {
  readonly want: (objectId: string) => void
  /** An event has overtaken whatever is fetched of this row. */
  readonly drop: (objectId: string) => void
  readonly clear: () => void
}

const mostIds = 100

/** Fetches rows by their ids: those that are wanted while one answer is on its way are asked for together. */
export function createFetching({ read, settle, fail }: FetchingParts): Fetching {
  const wanted = new Set<string>()
  let run: { readonly controller: AbortController; readonly ids: Set<string> } | undefined

  async function fetch(): Promise<void> {
    if (run || wanted.size === 0) return
    const asked = [...wanted].slice(0, mostIds)
    for (const id of asked) wanted.delete(id)
    const own = { controller: new AbortController(), ids: new Set(asked) }
    run = own
    try {
      const found = await read(own.controller.signal, asked)
      if (run !== own) return
      run = undefined
      const byId = new Map(found.map((row) => [row.objectId, row]))
      for (const id of own.ids) settle(id, byId.get(id))
      void fetch()
    } catch {
      if (run === own) fail()
    }
  }

  return {
    want(objectId) {
      wanted.add(objectId)
      void fetch()
    },
    drop(objectId) {
      wanted.delete(objectId)
      run?.ids.delete(objectId)
    },
    clear() {
      run?.controller.abort()
      run = undefined
      wanted.clear()
    },
  }
}
