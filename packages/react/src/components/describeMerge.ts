import type { MergePreview } from '../core/MergePreview.ts'
import type { Say } from './createSay.ts'

/** What a merge would move, in one sentence. */
export function describeMerge(say: Say, { from, into, wallets, passkeys }: MergePreview): string {
  const things = [
    ...(wallets.length > 0 ? [say('mergingWallets', { count: wallets.length })] : []),
    ...(passkeys.length > 0 ? [say('mergingPasskeys', { count: passkeys.length })] : []),
  ]
  return say('mergingHint', {
    from: from.username,
    into: into.username,
    things: things.length > 0 ? things : [say('mergingFields')],
  })
}
