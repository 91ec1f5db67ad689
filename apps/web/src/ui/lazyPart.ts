import { type ComponentType, lazy } from 'react'
import { untilReachable } from '../config/serverReach.ts'

/**
 * A part of the page whose code is fetched when it is first drawn. While the server is away it waits, and what is shown
 * stays. Code that a new release has replaced fails.
 */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    try {
      return { default: await load() }
    } catch (error) {
      if (!(await untilReachable())) throw error
      return { default: await load() }
    }
  })
}
