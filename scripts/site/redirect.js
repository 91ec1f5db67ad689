// Follows links to headings and pages that moved. The table is loaded only where a link finds nothing.
const home = new URL('.', import.meta.url)

addEventListener('hashchange', follow)
await follow()

async function follow() {
  const id = decodeURIComponent(location.hash.slice(1))
  const isGone = document.documentElement.hasAttribute('data-moved')
  if (!isGone && (id === '' || document.getElementById(id))) return
  const answer = await fetch(new URL('redirects.json', home))
  /** @type {Record<string, string>} */
  const redirects = await answer.json()
  const page = location.pathname.slice(home.pathname.length).replace(/\.html$/, '')
  const target = redirects[`${page}#${id}`] ?? redirects[page]
  if (target !== undefined) location.replace(new URL(target, home))
}
