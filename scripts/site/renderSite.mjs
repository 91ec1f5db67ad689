import { posix } from 'node:path'
import { Marked } from 'marked'
import { escapeText, highlight } from './highlight.mjs'

/** @typedef {import('./readReference.mjs').Page} Page */
/** @typedef {{ title: string, pages: { path: string, title: string }[] }} Section */
/**
 * @typedef {object} Rendered
 * @property {{ id: string, level: number, text: string }[]} headings without the title
 * @property {{ id: string, text: string }[]} rows of tables that begin with a name in code, each with an anchor
 * @property {string} html
 * @property {string[]} links to other pages: `wallets#smart-accounts`, from the root of the documentation
 * @property {string[]} files of the repository that are linked, and pictures that are shown
 * @property {string[]} pictures below `docs/`
 */

/** Pages whose files stand outside of docs/, as the places that show repositories want them there. */
export const outside = { 'SECURITY.md': 'threat-model' }

/** Animated pictures. Beside each is a still one, for people who prefer that. */
const animations = ['docs/tour.webp']

const repository = 'https://github.com/countersign/countersign/blob/main/'

/**
 * Renders Markdown to the inside of a page. Links between pages lose their ending and are relative, so that the site
 * works under any path; those out of the documentation go to the repository.
 *
 * @param {Page} page
 * @returns {Rendered}
 */
export function renderPage({ path, text, from = `docs/${path}.md` }) {
  /** @type {Rendered} */
  const rendered = { headings: [], rows: [], html: '', links: [], files: [], pictures: [] }
  const used = new Set()
  const up = toRoot(path)
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const raw = this.parser.parseInline(tokens, this.parser.textRenderer)
        const plain = readEntities(raw.replace(/`|\*|\[|\]\([^)]*\)|<[^>]*>/g, '').trim())
        const id = takeId(toSlug(plain))
        if (depth > 1) rendered.headings.push({ id, level: depth, text: plain })
        const inside = this.parser.parseInline(tokens).replace(/<\/?a\b[^>]*>/g, '')
        if (depth === 1) return `<h1 id="${id}">${inside}</h1>\n`
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${inside}</a></h${depth}>\n`
      },
      link({ href, title, tokens }) {
        const hint = title ? ` title="${escapeText(title)}"` : ''
        return `<a href="${escapeText(resolve(href))}"${hint}>${this.parser.parseInline(tokens)}</a>`
      },
      image({ href, text: alt }) {
        const file = posix.join(posix.dirname(from), href)
        const show = (/** @type {string} */ each) => {
          rendered.files.push(each)
          rendered.pictures.push(each.replace('docs/', ''))
          return `${up}${escapeText(each.replace('docs/', ''))}`
        }
        const picture = `<img src="${show(file)}" alt="${escapeText(alt)}" loading="lazy">`
        if (!animations.includes(file)) return picture
        const still = show(file.replace(/\.webp$/, '.still.webp'))
        return `<picture><source media="(prefers-reduced-motion: reduce)" srcset="${still}">${picture}</picture>`
      },
      code({ text: code, lang }) {
        const kind = lang?.split(' ')[0] ?? ''
        return `<div class="code"><pre tabindex="0" data-language="${escapeText(kind)}"><code>${highlight(code, kind)}</code></pre></div>\n`
      },
      table({ header, rows }) {
        const write = (/** @type {import('marked').Tokens.TableCell[]} */ cells) =>
          this.tablerow({ text: cells.map((cell) => this.tablecell(cell)).join('') })
        return `<div class="table" tabindex="0"><table><thead>${write(header)}</thead><tbody>${rows.map(write).join('')}</tbody></table></div>\n`
      },
      tablerow({ text: row }) {
        const name = row.match(/^<td><code>([\w.-]+)<\/code>/)?.[1]
        if (!name || used.has(name)) return `<tr>${row}</tr>\n`
        const plain = readEntities(row.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')).trim()
        const id = takeId(name)
        rendered.rows.push({ id, text: plain })
        return `<tr id="${id}">${row}</tr>\n`
      },
    },
  })
  rendered.html = /** @type {string} */ (marked.parse(text, { async: false }))
  return rendered

  /** @param {string} wanted */
  function takeId(wanted) {
    let id = wanted
    for (let times = 1; used.has(id); times++) id = `${wanted}-${times}`
    used.add(id)
    return id
  }

  /** @param {string} href */
  function resolve(href) {
    if (/^[a-z]+:/i.test(href)) return href
    if (href.startsWith('#')) {
      rendered.links.push(`${path}${href}`)
      return href
    }
    const [file = '', hash] = href.split('#')
    const target = posix.join(posix.dirname(from), file)
    const place = hash === undefined ? '' : `#${hash}`
    const page = toPage(target)
    if (page === undefined) {
      rendered.files.push(target)
      return `${repository}${target}${place}`
    }
    rendered.links.push(`${page}${place}`)
    return `${up}${page}${place}`
  }
}

/** @param {string} file of the repository @returns {string | undefined} the path of its page */
export function toPage(file) {
  const isPage = /^docs\/[^/]+\.md$|^docs\/reference\//.test(file)
  return isPage
    ? file.replace(/^docs\//, '').replace(/(README)?\.md$/, '')
    : Object.entries(outside).find(([name]) => name === file)?.[1]
}

/** As the sites do that show Markdown: letters and digits, hyphens between. @param {string} text */
function toSlug(text) {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}

/** @param {string} path of a page */
const toRoot = (path) => '../'.repeat(path.split('/').length - 1) || './'

const mark = `<svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true"><rect width="32" height="32" rx="9" class="mark"/><path d="M22.6 9.4a9.4 9.4 0 1 0 0 13.2" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/><path d="m12.4 16.2 3.4 3.4 8.2-8.2" fill="none" stroke="#8fe3d8" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>`
const sun = `<svg viewBox="0 0 24 24" width="18" height="18" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true"><circle cx="12" cy="12" r="9"/><path d="M12 3a9 9 0 0 0 0 18z" fill="currentColor"/></svg>`

/**
 * The whole document. Style and script are files: the policy of the server allows nothing inside of a page.
 *
 * @param {Page & Rendered} page
 * @param {Section[]} sections
 */
export function renderDocument(page, sections) {
  const up = toRoot(page.path)
  const order = sections.flatMap(({ pages }) => pages)
  const place = order.findIndex(({ path }) => path === page.path)
  const section = sections.find(({ pages }) => pages.some(({ path }) => path === page.path))
  const link = (/** @type {Section['pages'][number]} */ { path, title }) =>
    `<li><a href="${up}${path}"${path === page.path ? ' aria-current="page"' : ''}>${escapeText(title)}</a></li>`
  const menu = sections
    .map((each, number) => {
      const isOpen = each === section || number < 2 ? ' open' : ''
      return `<details${isOpen}><summary>${escapeText(each.title)}</summary><ul>${each.pages.map(link).join('')}</ul></details>`
    })
    .join('')
  const within = page.headings
    .filter(({ level }) => level < 4)
    .map(({ id, level, text }) => `<li class="level-${level}"><a href="#${id}">${escapeText(text)}</a></li>`)
    .join('')
  const step = (/** @type {Section['pages'][number] | undefined} */ other, /** @type {string} */ word) =>
    other
      ? `<a href="${up}${other.path}" rel="${word.toLowerCase()}"><small>${word}</small>${escapeText(other.title)}</a>`
      : '<span></span>'
  const description = page.html
    .match(/<p>([\s\S]*?)<\/p>/)?.[1]
    ?.replace(/<[^>]*>|\s+/g, ' ')
    .trim()
    .slice(0, 200)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#ffffff" data-light="#ffffff" data-dark="#131210">
${description ? `<meta name="description" content="${description.replaceAll('"', '&#34;')}">` : ''}
<title>${page.path === '' ? 'Countersign documentation' : `${escapeText(page.title)} · Countersign`}</title>
<link rel="icon" href="${up}favicon.svg">
<link rel="stylesheet" href="${up}site.css">
<script src="${up}theme.js"></script>
<script type="module" src="${up}site.js"></script>
<script type="module" src="${up}redirect.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<button type="button" class="quiet open-menu" popovertarget="menu">Menu</button>
<a class="home" href="${up}" aria-label="Countersign documentation">${mark}<span>Countersign</span></a>
<div class="search" role="search"><input id="search" type="search" placeholder="Search" aria-label="Search the documentation" aria-controls="results" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd><ul id="results" class="results" hidden></ul><p id="found" class="unseen" aria-live="polite"></p></div>
<button type="button" class="quiet" id="theme" aria-label="Switch between light and dark">${sun}</button>
</header>
<nav id="menu" class="menu" popover aria-label="Pages">${menu}</nav>
<main id="content" tabindex="-1">${section ? `<p class="section">${escapeText(section.title)}</p>` : ''}
${page.html}
<footer><nav class="steps" aria-label="Next pages">${step(order[place - 1], 'Previous')}${step(order[place + 1], 'Next')}</nav>${page.from ? `<p><a href="${repository}${page.from}">The source of this page</a></p>` : '<p>Made from the code of this version.</p>'}</footer></main>
<aside class="contents" aria-label="On this page">${within ? `<p class="title">On this page</p><ul>${within}</ul>` : ''}</aside>
</body>
</html>
`
}

/**
 * Document at the former address of a page. The script keeps the anchor of the link.
 *
 * @param {string} path
 * @param {string} target
 */
export function renderMoved(path, target) {
  const to = escapeText(`${toRoot(path)}${target}`)
  return `<!doctype html>
<html lang="en" data-moved>
<head>
<meta charset="utf-8">
<title>This page moved · Countersign</title>
<link rel="canonical" href="${to}">
<link rel="icon" href="${toRoot(path)}favicon.svg">
<noscript><meta http-equiv="refresh" content="0; url=${to}"></noscript>
<script type="module" src="${toRoot(path)}redirect.js"></script>
</head>
<body><p>This page moved: <a href="${to}">${to}</a></p></body>
</html>
`
}

/** @param {string} text */
function readEntities(text) {
  return text.replace(
    /&(?:amp|lt|gt|quot|#39|#34|#38|#60|#62);/g,
    (name) =>
      ({
        ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" },
        ...{ '&#34;': '"', '&#38;': '&', '&#60;': '<', '&#62;': '>' },
      })[name] ?? name,
  )
}
