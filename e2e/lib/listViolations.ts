import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

type Options = { rules?: string[]; within?: string }

/** What axe finds wrong with a page, or a part of it. */
export async function listViolations(page: Page, { rules, within }: Options = {}): Promise<string[]> {
  const axe = new AxeBuilder({ page })
    // Two empty elements at the edges of an open menu that hand the focus on; axe takes them for content.
    .exclude('[data-base-ui-focus-guard]')
    // All frames are ours; the other mode opens a page of its own for each look, which takes longer than looking.
    .setLegacyMode()
    .options({ resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) })
  if (within) axe.include(within)
  const { violations, passes } = await axe.analyze()
  // Axe that looked at nothing finds nothing.
  expect(passes.length).toBeGreaterThan(rules ? 0 : 5)
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}
