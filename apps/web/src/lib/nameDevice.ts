import { describeDevice } from './describeDevice.ts'

/** A browser and its system in the few words of a row. */
export function nameDevice(userAgent: string | undefined): string {
  const { browser, system } = describeDevice(userAgent)
  return system ? `${browser} on ${system}` : browser
}
