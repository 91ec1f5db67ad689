import { afterEach, expect, test } from 'vitest'
import { fromSearch, keepBrowserViews, readBrowserViews, toSearch } from './browserViews.ts'

afterEach(() => localStorage.clear())

test('a view leads to the address that it was saved at', () => {
  const filter = '[{"field":"name","operator":"equals","value":"a&b"}]'
  const view = { filter, order: '-createdAt', hidden: ['ACL', 'list'] }
  expect(fromSearch(toSearch(view))).toEqual(view)
  expect(toSearch({ filter: '', order: '', hidden: [] })).toBe('')
  // The row that was open is no part of it, nor is a filter that is none.
  expect(fromSearch('?row=abc&where=nonsense')).toEqual({ filter: '', order: '', hidden: [] })
})

test('views of this browser are read whatever is there, and are gone once they are shared', () => {
  const key = 'countersign.console.views.Game'
  for (const broken of ['', 'x', '{}', '[null]', '[{"name":1}]', '[{"name":" ","search":""}]']) {
    localStorage.setItem(key, broken)
    expect(readBrowserViews('Game')).toEqual([])
  }
  const views = [{ name: 'a', search: '?order=b' }]
  keepBrowserViews('Game', views)
  expect(readBrowserViews('Game')).toEqual(views)
  expect(readBrowserViews('Other')).toEqual([])
  keepBrowserViews('Game', [])
  expect(localStorage.getItem(key)).toBeNull()
})
