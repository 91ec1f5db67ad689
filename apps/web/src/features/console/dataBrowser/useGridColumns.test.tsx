import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import { type GridColumns, useGridColumns } from './useGridColumns.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
const names = ['a', 'b', 'c']
const fields = { a: { type: 'String' }, b: { type: 'String' }, c: { type: 'Number' } }
let grid: GridColumns
function Probe() {
  grid = useGridColumns('Thing', names, fields)
  return null
}
test('columns are pinned, moved and resized within limits', async () => {
  const root = createRoot(document.createElement('div'))
  await act(async () => root.render(<Probe />))
  expect(grid.columns.map(({ name, width, start }) => [name, width, start])).toEqual([
    ['a', 180, undefined],
    ['b', 180, undefined],
    ['c', 110, undefined],
  ])
  await act(async () => grid.togglePin('c'))
  expect(grid.columns.map(({ name, start }) => [name, start])).toEqual([
    ['c', 0],
    ['a', undefined],
    ['b', undefined],
  ])
  await act(async () => grid.move('b', -1))
  expect(grid.columns.map(({ name }) => name)).toEqual(['c', 'b', 'a'])
  await act(async () => grid.setWidth('b', 10))
  expect(grid.columns[1]?.width).toBe(64)
  await act(async () => root.unmount())
})
