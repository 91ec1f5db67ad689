import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { root } from './root.mjs'

const docs = join(root, 'docs')

/** @typedef {import('../site/readReference.mjs').Page} Page */

/** Assets of every page, by name in the site. */
const assets = {
  'site.js': 'scripts/site/site.js',
  'search.js': 'scripts/site/search.js',
  'redirect.js': 'scripts/site/redirect.js',
  'redirects.json': 'docs/redirects.json',
  'theme.js': 'apps/web/public/theme.js',
  'favicon.svg': 'apps/web/public/favicon.svg',
  'figtree.woff2': 'node_modules/@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2',
}

/** Styles of the frame, the text, and small screens and paper: one file, in this order. */
const styles = ['frame.css', 'page.css', 'screens.css']

/**
 * Writes the documentation as static files. The packages must be built: the reference is made from them.
 *
 * @param {string} folder
 */
export async function buildSite(folder) {
  const { sections, pages } = await readSite()
  const { renderDocument, renderMoved } = await import('../site/renderSite.mjs')
  rmSync(folder, { recursive: true, force: true })
  const place = (/** @type {string} */ name) => {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    return file
  }
  for (const page of pages) writeFileSync(place(`${page.path || 'index'}.html`), renderDocument(page, sections))
  for (const [path, target] of Object.entries(readRedirects()))
    if (!path.includes('#')) writeFileSync(place(`${path}.html`), renderMoved(path, target))
  for (const [name, source] of Object.entries(assets)) copyFileSync(join(root, source), place(name))
  const css = styles.map((name) => readFileSync(join(root, 'scripts/site/css', name), 'utf8')).join('\n')
  writeFileSync(place('site.css'), css)
  for (const name of new Set(pages.flatMap(({ pictures }) => pictures))) copyFileSync(join(docs, name), place(name))
  const index = JSON.stringify(writeIndex(pages))
  writeFileSync(place('search.json'), index)
  writeFileSync(place('search.json.gz'), gzipSync(index, { level: 9 }))
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
  writeFileSync(place('search.json.br'), brotliCompressSync(index, quality))
}

/** The pages with what they link to, read and rendered, and nothing written. */
export async function readSite() {
  // Loaded here: in a fresh clone this file is read before the dependencies are there.
  const { outside, renderPage, toPage } = await import('../site/renderSite.mjs')
  const { readReference } = await import('../site/readReference.mjs')
  const files = readdirSync(docs).filter((file) => file.endsWith('.md'))
  const written = [...files.map((file) => `docs/${file}`), ...Object.keys(outside)].map((file) =>
    readPage(file, toPage(file)),
  )
  const reference = await readReference()
  const pages = [...written, ...reference].map((page) => ({ ...page, ...renderPage(page) }))
  return { pages, sections: readSections(reference, toPage), deadLinks: listDeadLinks(pages) }
}

/** Pages and headings that moved, with their new place. @returns {Record<string, string>} */
export function readRedirects() {
  return JSON.parse(readFileSync(join(docs, 'redirects.json'), 'utf8'))
}

/** @param {(Page & import('../site/renderSite.mjs').Rendered)[]} pages */
function listDeadLinks(pages) {
  const known = new Map(pages.map((page) => [page.path, page]))
  return pages.flatMap(({ path, from, links, files }) => {
    const dead = links.filter((link) => {
      const [target = '', id] = link.split('#')
      const page = known.get(target)
      return !page || (id && !page.html.includes(`id="${decodeURIComponent(id)}"`))
    })
    const missing = files.filter((file) => !existsSync(join(root, file)))
    return [...dead, ...missing].map((link) => `${from ?? path}: ${link}`)
  })
}

/** @param {string} file @param {string} [path] @returns {Page} */
function readPage(file, path = '') {
  const text = readFileSync(join(root, file), 'utf8')
  const title = text.match(/^# (.+)/m)?.[1]?.replaceAll('`', '') ?? file
  return { path, title, text, from: file }
}

/**
 * The sidebar has the order of docs/README.md: each of its lists of pages is a section. That of the reference is
 * continued with the pages that are made from the code.
 *
 * @param {Page[]} reference
 * @param {(file: string) => string | undefined} toPage
 */
function readSections(reference, toPage) {
  const text = readFileSync(join(docs, 'README.md'), 'utf8')
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const title = part.split('\n')[0] ?? ''
      const listed = [...part.matchAll(/^- \[(.+?)\]\((\S+?\.md)\)/gm)].map(([, name = '', file = '']) => ({
        title: name.replaceAll('`', ''),
        path: toPage(posix.join('docs', file)) ?? file,
      }))
      const made = title === 'Reference' ? reference.map(({ title: name, path }) => ({ title: name, path })) : []
      return { title, pages: [...listed, ...made] }
    })
    .filter(({ pages }) => pages.length > 0)
}

/**
 * Index of the search.
 *
 * @param {(Page & import('../site/renderSite.mjs').Rendered)[]} pages
 * @returns {import('../site/search.js').Index}
 */
export const writeIndex = (pages) => ({ entries: listEntries(pages), synonyms: readSynonyms() })

/** Words that people search for, each with the words of the glossary. @returns {[string, string][]} */
function readSynonyms() {
  /** @type {Record<string, string[]>} */
  const names = JSON.parse(readFileSync(join(docs, 'synonyms.json'), 'utf8'))
  return Object.entries(names).flatMap(([other, ours]) =>
    ours.map((name) => /** @type {[string, string]} */ ([other, name])),
  )
}

/**
 * Search entries: one for each page, heading and row of a table that begins with a name, with the words below it, each
 * once. Pages rank above their headings, guides above the reference and rows of tables, and types below everything.
 *
 * @param {(Page & import('../site/renderSite.mjs').Rendered)[]} pages
 */
function listEntries(pages) {
  return pages.flatMap(({ path, title, text, from, headings, rows }) => {
    const parts = text
      .replace(/^```[\s\S]*?^```$/gm, (block) => block.replace(/^#/gm, ''))
      .split(/^#{1,6} .*$/m)
      .slice(1)
    const entry = (/** @type {string} */ name, /** @type {string} */ url, /** @type {string} */ part, weight = 1) => {
      const hint = part
        .replace(/```[\s\S]*?```|<!--[\s\S]*?-->|\]\([^)]*\)|[`*[\]|]/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
      const words = new Set(part.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}._-]*/gu))
      return {
        title: name,
        page: title,
        url,
        hint: hint.slice(0, 100),
        text: [...words].join(' ').slice(0, 1200),
        weight,
      }
    }
    const types = headings.findIndex((heading) => !from && heading.text === 'Types')
    return [
      entry(title, path || './', parts[0] ?? '', from ? 1.5 : 0.6),
      ...headings.map(({ id, text: heading }, number) => {
        // Headings of the first page, of the glossary and of a resource of the reference are lists.
        const isList = path === '' || path === 'glossary' || heading.startsWith('Under /')
        const weight = isList ? 0.3 : types >= 0 && number >= types ? 0.15 : from ? 1 : 0.45
        return entry(heading, `${path}#${id}`, parts[number + 1] ?? '', weight)
      }),
      ...rows.map(({ id, text: row }) => entry(id, `${path}#${id}`, row.slice(id.length), 0.5)),
    ]
  })
}
