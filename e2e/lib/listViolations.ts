import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'

type Options = { rules?: string[]; within?: string }

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Violations that axe finds on a page or a part of it. axe is added to a page once. */
export async function listViolations(page: Page, { rules, within = 'html' }: Options = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(`${source};undefined`)
  const { found, passed } = await page.evaluate(
    async ({ rules, within }) => {
      const { violations, passes } = await (window as unknown as { axe: typeof axe }).axe.run(
        // Two empty elements at the edges of an open menu that hand the focus on; axe takes them for content.
        { include: [within], exclude: ['[data-base-ui-focus-guard]'] },
        { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) },
      )
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
      return { found, passed: passes.length }
    },
    { rules, within },
  )
  // Axe that looked at nothing finds nothing.
  expect(passed).toBeGreaterThan(rules ? 0 : 5)
  return found
}
