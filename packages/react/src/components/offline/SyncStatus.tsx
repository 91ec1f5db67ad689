'use client'

import { useContext, useEffect, useSyncExternalStore } from 'react'
import { loadOnce } from '../../core/platform/loadOnce.ts'
import { createStore } from '../../core/state/createStore.ts'
import { usePendingWrites } from '../../hooks/offline/usePendingWrites.ts'
import { LanguageContext } from '../i18n/LanguageContext.ts'
import { findLanguage, type languages } from '../i18n/languages.ts'
import { english, type StatusWords } from './statusWords.ts'

export type SyncStatusProps = {
  /** Words of your own, in place of single ones. */
  readonly words?: Partial<StatusWords>
  /** Text for a refusal; by default the server's sentence. */
  readonly describe?: (error: { readonly reason: string; readonly message: string }) => string
  readonly className?: string
}

/**
 * Says whether the shown documents are confirmed, how many changes wait, and which were refused, with buttons to try
 * again or discard; and if the browser refuses to keep anything. Announced by screen readers. The style sheet is that of
 * the sign-in sheet.
 *
 * @example
 * import { SyncStatus } from '@countersign/react/offline'
 *
 * <SyncStatus />
 */
export function SyncStatus({ words, describe, className = 'cs-sync-status' }: SyncStatusProps) {
  const { pending, failed, isCurrent, currentAt, isKept, retry, discard } = usePendingWrites()
  const around = useContext(LanguageContext)
  const language = useSyncExternalStore(noChange, readLanguage, () => 'en' as const)
  const spoken = around.language ?? language
  const others = useSyncExternalStore(loaded.subscribe, loaded.get, () => undefined)
  // On each render: a load that failed without the network is tried again.
  useEffect(() => {
    if (spoken !== 'en' && !others) loadOthers().catch(() => undefined)
  })
  const say: StatusWords = { ...((spoken !== 'en' && others?.[spoken]) || english), ...words }
  const time = currentAt && new Intl.DateTimeFormat(spoken, { timeStyle: 'short' }).format(currentAt)
  const place = time ? say.offlineSince.replace('{time}', time) : say.offline
  const count = String(pending.length)
  const waiting = (isCurrent ? say.sending : say.waiting).replace('{count}', count)
  const settled = failed.length > 0 ? '' : say.current
  const refused = failed.flatMap(({ key, error }) => (error ? { key, error } : []))
  return (
    <div className={className} data-state={failed.length > 0 ? 'failed' : isCurrent ? 'current' : 'offline'}>
      <p role="status">
        {isCurrent ? (pending.length === 0 ? settled : waiting) : place}
        {!isCurrent && pending.length > 0 && <span> · {waiting}</span>}
        {!isKept && <span> · {say.notKept}</span>}
      </p>
      {refused.length > 0 && (
        <div role="alert">
          <ul>
            {refused.map(({ key, error }) => (
              <li key={key}>
                <span>{say.refused.replace('{reason}', describe?.(error) ?? error.message)}</span>{' '}
                <button type="button" onClick={() => void retry(key)}>
                  {say.retry}
                </button>{' '}
                <button type="button" onClick={() => void discard(key)}>
                  {say.discard}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

const loaded = /*#__PURE__*/ createStore<{ readonly [language in keyof typeof languages]: StatusWords } | undefined>(
  undefined,
)

const loadOthers = /*#__PURE__*/ loadOnce(async () => {
  loaded.set((await import('./otherStatusWords.ts')).otherStatusWords)
})

const noChange = () => () => undefined

function readLanguage() {
  return findLanguage(globalThis.document?.documentElement.lang || (globalThis.navigator?.language ?? '')) ?? 'en'
}
