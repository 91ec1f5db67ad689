// Script of the documentation pages: search, light and dark, copying, pausing animations, position on the page. Served
// as it is. Creates nodes, never markup: the server's policy allows nothing else.
import { createSearch } from './search.js'

const root = document.documentElement
const home = new URL('.', import.meta.url)
const find = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id))

// The web application has the same key, and theme.js reads it before the first paint.
find('theme').addEventListener('click', () => {
  const isDark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.theme = isDark ? 'light' : 'dark'
  try {
    localStorage.setItem('Countersign/theme', root.dataset.theme)
  } catch {
    // Storage is refused in some privacy modes: the choice then lasts until the page is left.
  }
})

const search = /** @type {HTMLInputElement} */ (find('search'))
const results = find('results')
/** @type {Promise<ReturnType<typeof createSearch>> | undefined} */
let finder

search.addEventListener('focus', load)
search.addEventListener('input', showResults)
search.addEventListener('focus', showResults)
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement
  if ((event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))) {
    event.preventDefault()
    search.focus()
    search.select()
  }
  if (event.key === 'Escape' && !results.hidden) {
    results.hidden = true
    search.focus()
  }
  if (event.target instanceof Node && find('search').parentElement?.contains(event.target)) moveInResults(event)
})
document.addEventListener('click', (event) => {
  if (event.target instanceof Node && !search.parentElement?.contains(event.target)) results.hidden = true
})

/** Arrows walk from the field through the results; Enter in the field takes the first. @param {KeyboardEvent} event */
function moveInResults(event) {
  const stops = [search, ...results.querySelectorAll('a')]
  const place = stops.indexOf(/** @type {HTMLInputElement} */ (document.activeElement))
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (event.key === 'Enter' && place === 0) stops[1]?.click()
  if (step === undefined || results.hidden) return
  event.preventDefault()
  stops[(place + step + stops.length) % stops.length]?.focus()
}

function load() {
  finder ??= fetch(new URL('search.json', home))
    .then((response) => response.json())
    .then(createSearch)
  return finder
}

async function showResults() {
  const asked = search.value
  const isEmpty = asked.trim() === ''
  const findEntries = await load()
  if (search.value !== asked) return
  const found = isEmpty ? [] : findEntries(asked)
  results.replaceChildren(...found.map(toItem))
  results.hidden = found.length === 0
  find('found').textContent = isEmpty ? '' : `${found.length === 0 ? 'No' : found.length} results`
}

/** @param {import('./search.js').Entry} entry */
function toItem({ title, page, url, hint }) {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = new URL(url, home).href
  const name = document.createElement('strong')
  name.textContent = title
  const where = document.createElement('small')
  where.textContent = page === title ? hint : `${page} · ${hint}`
  link.append(name, where)
  link.addEventListener('click', () => {
    results.hidden = true
  })
  item.append(link)
  return item
}

for (const code of document.querySelectorAll('.code')) {
  const copy = document.createElement('button')
  copy.type = 'button'
  copy.className = 'quiet copy'
  copy.textContent = 'Copy'
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.querySelector('code')?.textContent ?? '')
    copy.textContent = 'Copied'
    setTimeout(() => {
      copy.textContent = 'Copy'
    }, 2000)
  })
  code.append(copy)
}

// An animated picture has a still one beside it, for people who prefer that and for those who pause it.
for (const still of document.querySelectorAll('picture > source')) {
  if (!(still instanceof HTMLSourceElement)) continue
  const reduced = matchMedia(still.media)
  const isStill = () => still.media === 'all' || (still.media !== 'not all' && reduced.matches)
  const toggle = document.createElement('button')
  toggle.type = 'button'
  toggle.className = 'quiet'
  const name = () => {
    toggle.textContent = isStill() ? 'Play' : 'Pause'
  }
  toggle.addEventListener('click', () => {
    still.media = isStill() ? 'not all' : 'all'
    name()
  })
  name()
  still.closest('p')?.after(toggle)
}

// Position on the page.
const links = new Map(
  [...document.querySelectorAll('aside a')].map((link) => [link.getAttribute('href')?.slice(1), link]),
)
const seen = new IntersectionObserver(
  (entries) => {
    const entry = entries.find(({ isIntersecting }) => isIntersecting)
    const link = links.get(entry?.target.id)
    if (!link) return
    for (const other of links.values()) other.removeAttribute('aria-current')
    link.setAttribute('aria-current', 'location')
    const list = link.closest('aside')
    const { top, bottom } = link.getBoundingClientRect()
    if (list && (top < 80 || bottom > innerHeight)) list.scrollTop += top - innerHeight / 2
  },
  { rootMargin: '-70px 0px -70% 0px' },
)
for (const heading of document.querySelectorAll('main :is(h2, h3)[id]')) seen.observe(heading)

// The entry of this page is in view in a long list of pages.
const current = document.querySelector('#menu [aria-current]')
const menu = find('menu')
if (current instanceof HTMLElement && current.offsetTop > menu.clientHeight) menu.scrollTop = current.offsetTop - 200
