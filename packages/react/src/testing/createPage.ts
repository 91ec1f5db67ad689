import { createMemory } from './createMemory.ts'

export type TestPage = Window & { ethereum?: unknown }

/** A page of its own for a test that runs in Node: wallets announce themselves to one page and are not in the next. */
export function createPage(
  stubGlobal: (name: string, value: unknown) => unknown,
  origin = 'http://app.test',
  localStorage = createMemory(),
): TestPage {
  const { host, href } = new URL(origin)
  const page = Object.assign(new EventTarget(), { location: { host, href, origin }, localStorage })
  stubGlobal('window', page)
  stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  return page as unknown as TestPage
}
