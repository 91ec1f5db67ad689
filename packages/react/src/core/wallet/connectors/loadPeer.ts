import { CountersignError } from '@countersign/protocol'

/** Loads a wallet's SDK, which only those applications install that offer the wallet. */
export async function loadPeer<Sdk>(
  packageName: string,
  exportName: string,
  load: () => Promise<unknown>,
): Promise<Sdk> {
  let loaded: Record<string, unknown>
  try {
    loaded = Object(await load())
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CountersignError('OtherCause', `The package ${packageName} could not be loaded.`, {
      cause,
      details: `Install it: npm install ${packageName}. If it is installed, the page could not fetch it: ${reason}`,
    })
  }
  const found = loaded[exportName] ?? Object(loaded.default)[exportName]
  if (found) return found as Sdk
  throw new CountersignError('OtherCause', `The package ${packageName} has no export ${exportName}.`, {
    details: `Another version of it may: npm install ${packageName}@latest`,
  })
}
