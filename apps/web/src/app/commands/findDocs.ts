type Entry = { title: string; page: string; url: string }
type Find = (query: string, limit?: number) => Entry[]

let finder: Promise<Find> | undefined

/** Pages of the documentation that this server shows, by the search of the documentation itself. */
export async function findDocs(text: string): Promise<{ to: string; title: string; page: string }[]> {
  finder ??= load()
  try {
    const find = await finder
    return find(text, 4).map(({ title, page, url }) => ({ to: `/docs/${url}`, title, page }))
  } catch {
    finder = undefined
    return []
  }
}

async function load(): Promise<Find> {
  const base = new URL('/docs/', window.location.href)
  const [index, { createSearch }] = await Promise.all([
    fetch(new URL('search.json', base)).then((response) => response.json()),
    // Served beside the pages: no part of this bundle.
    import(/* @vite-ignore */ new URL('search.js', base).href) as Promise<{ createSearch: (index: unknown) => Find }>,
  ])
  return createSearch(index)
}
