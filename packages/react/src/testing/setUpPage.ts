import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach } from 'vitest'

/** Each test of the file starts with empty storage, and its components are removed after it. */
export function setUpPage(): void {
  // A second, which is the default, is a moment on a busy machine.
  configure({ asyncUtilTimeout: 60_000 })
  beforeEach(() => window.localStorage.clear())
  afterEach(cleanup)
}
