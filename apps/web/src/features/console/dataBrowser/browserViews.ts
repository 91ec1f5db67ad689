import { readFilter, writeFilter } from './filter.ts'

/** Content of a view, as the server keeps it. */
export type ViewContent = { filter: string; order: string; hidden: string[] }

/** The part of an address that shows a view. */
export function toSearch({ filter, order, hidden }: ViewContent): string {
  const given = Object.entries({ where: filter, order, hide: hidden.join(',') }).filter(([, value]) => value !== '')
  return given.length > 0 ? `?${new URLSearchParams(given)}` : ''
}

export function fromSearch(search: string): ViewContent {
  const parameters = new URLSearchParams(search)
  const filter = readFilter(parameters.get('where'))
  return {
    filter: writeFilter(filter),
    order: (parameters.get('order') ?? '').slice(0, 500),
    hidden: (parameters.get('hide') ?? '')
      .split(',')
      .filter((name) => name !== '' && name.length <= 200)
      .slice(0, 200),
  }
}

export type BrowserView = { name: string; search: string }

const keyOf = (className: string) => `countersign.console.views.${className}`

/** Views that an earlier version kept in this browser, which anyone who uses it may have written to. */
export function readBrowserViews(className: string): BrowserView[] {
  try {
    const given = JSON.parse(localStorage.getItem(keyOf(className)) ?? '[]') as Partial<BrowserView>[]
    return given
      .flatMap(({ name, search }) =>
        typeof name === 'string' && name.trim() !== '' && typeof search === 'string'
          ? [{ name: name.slice(0, 100), search }]
          : [],
      )
      .slice(0, 50)
  } catch {
    return []
  }
}

export function keepBrowserViews(className: string, views: readonly BrowserView[]): void {
  try {
    if (views.length > 0) localStorage.setItem(keyOf(className), JSON.stringify(views))
    else localStorage.removeItem(keyOf(className))
  } catch {
    // Offered again the next time.
  }
}
