/** How far a transfer has come: the wallet sent it, a block holds it, the block is final; or it came to nothing. */
export type SentStage = 'sent' | 'block' | 'final' | 'failed' | 'replaced'

/** A transfer that was sent from this browser. */
export type SentTransfer = {
  readonly hash: string
  readonly chain: number
  readonly from: string
  readonly to: string
  /** The name that the recipient was given by. */
  readonly toName?: string
  readonly kind: 'native' | 'erc20' | 'erc721' | 'erc1155'
  /** In the smallest unit. */
  readonly amount: string
  readonly decimals?: number
  readonly symbol?: string
  /** Of a collectible. */
  readonly name?: string
  readonly tokenId?: string
  readonly at: string
  readonly stage: SentStage
  readonly block?: number
  readonly nonce?: number
}

const key = 'Countersign/sent'
const most = 20
const listeners = new Set<() => void>()

/** By the id of the signed-in user: hidden from others. */
type Kept = { owner: string; transfers: readonly SentTransfer[] }

const nothing: Kept = { owner: '', transfers: [] }
let kept: Kept | undefined

function read(): Kept {
  try {
    const { owner, transfers } = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Kept>
    return { owner: String(owner ?? ''), transfers: Array.isArray(transfers) ? transfers.filter(isSent) : [] }
  } catch {
    return kept ?? nothing
  }
}

/** Another tab has written. */
function readAgain({ key: changed }: StorageEvent) {
  if (changed !== key) return
  kept = read()
  for (const listener of listeners) listener()
}

const stages: ReadonlySet<unknown> = new Set<SentStage>(['sent', 'block', 'final', 'failed', 'replaced'])

/** Validates stored data: an older version, or somebody else, may have written it. */
function isSent(value: unknown): value is SentTransfer {
  const { hash, chain, from, to, amount, at, stage } = Object(value) as Record<string, unknown>
  const isText = [hash, from, to, at].every((each) => typeof each === 'string')
  return isText && typeof chain === 'number' && /^\d{1,78}$/.test(String(amount)) && stages.has(stage)
}

function publish(next: Kept) {
  kept = next
  try {
    if (next.transfers.length === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(next))
  } catch {
    // Storage is refused in some privacy modes: they are then known until the page is left.
  }
  for (const listener of listeners) listener()
}

const none: readonly SentTransfer[] = []

/** The latest transfers that were sent from this browser, the newest first. Signing out removes them. */
export const sentTransfers = {
  list(owner: string | undefined): readonly SentTransfer[] {
    kept ??= read()
    return kept.owner === owner ? kept.transfers : none
  },
  subscribe(listener: () => void) {
    if (listeners.size === 0) window.addEventListener('storage', readAgain)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) window.removeEventListener('storage', readAgain)
    }
  },
  add(owner: string, transfer: SentTransfer) {
    publish({ owner, transfers: [transfer, ...this.list(owner)].slice(0, most) })
  },
  update(owner: string, hash: string, change: Partial<SentTransfer>) {
    publish({
      owner,
      transfers: this.list(owner).map((each) => (each.hash === hash ? { ...each, ...change } : each)),
    })
  },
}
