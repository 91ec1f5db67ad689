import { listViolations } from '../lib/listViolations.ts'
import { asMaster, enterAs, masterKey } from '../lib/steps/operators.ts'
import { expect, serve, test } from '../lib/test.ts'

serve({ masterKey })

test('a filter has the operators of each type, groups, and says in words what it does', {
  tag: '@both',
}, async ({ page }) => {
  await enterAs(page, 'admin')
  const className = `Stop${Date.now()}`
  const rows = [
    { name: 'Vienna', riders: 10, place: [48.2, 16.37], tags: ['old'] },
    { name: 'Graz', riders: 20, place: [47.07, 15.44], tags: ['new'] },
    { name: 'Paris', riders: 30, place: [48.85, 2.35], tags: ['old', 'new'] },
  ]
  for (const { place, ...rest } of rows)
    await asMaster(page, 'POST', `/classes/${className}`, {
      ...rest,
      place: { __type: 'GeoPoint', latitude: place[0], longitude: place[1] },
    })
  await page.goto(`/admin/data/${className}?order=riders`)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const form = page.locator('form').filter({ has: page.getByRole('combobox', { name: 'Field' }) })
  const shown = async (...names: string[]) => {
    await expect(page.locator('td[data-column="name"]')).toHaveText(names)
  }
  const set = async (place: number, field: string, operator: string, ...values: string[]) => {
    await form.getByRole('combobox', { name: 'Field' }).nth(place).selectOption(field)
    await form.getByRole('combobox', { name: 'Condition' }).nth(place).selectOption(operator)
    for (const value of values) await form.getByRole('textbox', { name: 'Value' }).nth(place).fill(value)
  }
  const apply = () => form.getByRole('button', { name: 'Filter' }).click()

  await form.getByRole('combobox', { name: 'Field' }).selectOption('place')
  await expect(form.getByRole('combobox', { name: 'Condition' }).locator('option')).toHaveText([
    'within',
    'has a value',
    'has no value',
  ])
  await form.getByRole('textbox', { name: 'Latitude' }).fill('48.2')
  await apply()
  await expect(form.getByRole('alert')).toHaveText('Not a valid value of type GeoPoint.')
  await form.getByRole('textbox', { name: 'Longitude' }).fill('16.37')
  await form.getByRole('textbox', { name: 'Distance (km)' }).fill('200')
  await apply()
  await shown('Vienna', 'Graz')
  const chips = page.getByRole('list', { name: 'Filter' })
  await expect(chips).toContainText('place within 200 km of 48.2, 16.37')

  await set(0, 'tags', 'has', 'old')
  await apply()
  await shown('Vienna', 'Paris')
  await set(0, 'riders', 'noneOf', '10, 30')
  await apply()
  await shown('Graz')

  // Either a name, or both of two conditions.
  await set(0, 'name', 'starts', 'Par')
  await form.getByRole('button', { name: 'Add group' }).click()
  await set(1, 'riders', 'atMost', '20')
  const group = form.getByRole('group', { name: 'Group' })
  await group.getByRole('button', { name: 'Add condition' }).click()
  await set(2, 'name', 'contains', 'RAZ')
  await form.getByRole('combobox', { name: 'Match' }).first().selectOption('any')
  await group.getByRole('combobox', { name: 'Match' }).selectOption('all')
  expect(await listViolations(page)).toEqual([])
  await apply()
  await shown('Graz', 'Paris')
  await expect(chips).toContainText('name starts with Par')
  await expect(chips).toContainText('riders ≤ 20 and name contains RAZ')
  await expect(page.getByRole('button', { name: 'Filter (3)' })).toBeVisible()
  await page.reload()
  await shown('Graz', 'Paris')
  await chips.getByRole('button', { name: 'Remove filter: name starts with Par' }).click()
  await shown('Graz')
})
