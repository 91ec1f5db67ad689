import { expect, test } from 'vitest'
import { listRecentPlaces, noteRecentPlace } from './recentPlaces.ts'

test('recent places are the last five, each once, for one user', () => {
  for (let number = 1; number <= 7; number++) noteRecentPlace('ann', { to: `/${number}`, label: `${number}` })
  noteRecentPlace('ann', { to: '/5', label: 'five' })
  expect(listRecentPlaces('ann').map(({ label }) => label)).toEqual(['five', '7', '6', '4', '3'])
  expect(listRecentPlaces('bob')).toEqual([])
  sessionStorage.setItem('countersign.recentPlaces', '{"user":"ann","places":[1,{"to":2}]}')
  expect(listRecentPlaces('ann')).toEqual([])
  sessionStorage.setItem('countersign.recentPlaces', 'x')
  expect(listRecentPlaces('ann')).toEqual([])
})
