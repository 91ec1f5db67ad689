import { nameDevice } from './nameDevice.ts'

/** Browsers that people see as one, each with the texts it announced itself by, in the order of their names. */
export function groupDevices(userAgents: readonly (string | undefined)[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const userAgent of new Set(userAgents)) {
    if (userAgent === undefined) continue
    const name = nameDevice(userAgent)
    groups.set(name, [...(groups.get(name) ?? []), userAgent])
  }
  return new Map([...groups].sort(([one], [other]) => one.localeCompare(other)))
}
