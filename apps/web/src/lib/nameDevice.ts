import { describeDevice } from './describeDevice.ts'
import { say } from './say.ts'

/** A browser and its system in the few words of a row. */
export function nameDevice(userAgent: string | undefined): string {
  const { browser, system } = describeDevice(userAgent)
  return system ? say('{browser} on {system}', { browser, system }) : browser
}
