export type ExplorerPlace = 'block' | 'tx' | 'address' | 'name'

/** The address of a page of the explorer. */
export function explorerPath(chain: number | string, place: ExplorerPlace, value: number | string): string {
  return `/explorer/${encodeURIComponent(chain)}/${place}/${encodeURIComponent(value)}`
}
