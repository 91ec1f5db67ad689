import type { WireValue } from '@countersign/protocol'

/** What a query asks besides its class: read from the parameters, names not yet looked up. */
export type Find = {
  readonly where: WireValue | undefined
  readonly order: readonly string[]
  readonly limit: number
  readonly skip: number
  readonly count: boolean
  /** `undefined`: all of them. */
  readonly keys: readonly string[] | undefined
  readonly excludeKeys: readonly string[]
  readonly include: readonly string[]
  readonly includeAll: boolean
  readonly redirectClassNameForKey: string | undefined
  readonly hint: WireValue | undefined
  readonly explain: boolean
  /** `true` for the first page; then what the page before answered. */
  readonly cursor: string | true | undefined
}
