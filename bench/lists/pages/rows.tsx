// biome-ignore-all lint/correctness/noUndeclaredDependencies: it runs with the packages of the repository
import { memo, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'

export type RowFields = { readonly objectId: string; readonly n: number; readonly score: number }

/** Counts that the benchmark reads, and the actions that it starts. */
export const bench = { list: 0, rows: 0, save: () => undefined as unknown, create: () => undefined as unknown }
Object.assign(globalThis, { bench })

export const { appId, serverUrl } = Object.fromEntries(new URLSearchParams(location.search)) as {
  [name: string]: string
}

/** One row of the list: a component of its own, as in an application, and memoized in all pages alike. */
export const Row = memo(function Row({ n, score }: { n: number; score: number }) {
  bench.rows += 1
  return (
    <li>
      {n}: {score}
    </li>
  )
})

export function List({ children, status }: { children?: ReactNode; status: string }) {
  bench.list += 1
  return (
    <>
      <output id="status">{status}</output>
      <ul>{children}</ul>
    </>
  )
}

export function show(page: ReactNode): void {
  createRoot(document.getElementById('root') as HTMLElement).render(page)
}
