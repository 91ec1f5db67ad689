// Links to the documentation keep working: what was published is still there, or is redirected to its new place.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { renderMoved } from '../site/renderSite.mjs'
import { readRedirects, readSite } from '../steps/buildSite.mjs'
import { root } from '../steps/root.mjs'

const { pages } = await readSite()
const redirects = readRedirects()

/** @type {Record<string, string[]>} headings by page, at the state that links may have been made from */
const published = JSON.parse(readFileSync(join(root, 'scripts/docsChecks/publishedAnchors.json'), 'utf8'))

/** @param {string} place such as `wallets` or `wallets#link` */
function isThere(place) {
  const [path, id] = place.split('#')
  const page = pages.find((each) => each.path === path)
  return page !== undefined && (id === undefined || page.html.includes(`id="${id}"`))
}

test('every redirect leads to a heading or a page that exists', () => {
  expect(Object.values(redirects).filter((target) => !isThere(target))).toEqual([])
})

test('no redirect hides a heading or a page that exists', () => {
  expect(Object.keys(redirects).filter(isThere)).toEqual([])
})

test('the table is sorted', () => {
  expect(Object.keys(redirects)).toEqual(Object.keys(redirects).toSorted())
})

test('every published page and heading exists or is redirected', () => {
  const places = Object.entries(published).flatMap(([page, ids]) => [page, ...ids.map((id) => `${page}#${id}`)])
  expect(places.length).toBeGreaterThan(300)
  expect(places.filter((place) => !isThere(place) && redirects[place] === undefined)).toEqual([])
})

test('a page that moved has a document at its former address', () => {
  const html = renderMoved('reference/former', 'wallets#link')
  expect(html).toContain('url=../wallets#link')
  expect(html).toContain('<script type="module" src="../redirect.js">')
})
