import { type CountersignError, takeProviderResponse } from '@countersign/react'
import {
  type Identity,
  useLinkFarcaster,
  useLinkProvider,
  useRestoreIdentity,
  useUnlinkIdentity,
} from '@countersign/react/account'
import type { ProviderInput } from '@countersign/react/core'
import { Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { FarcasterPrompt } from '../../account/signIn/FarcasterPrompt.tsx'
import { methods } from '../../account/signIn/methods.ts'
import { needsStepUp } from '../../account/signIn/useConfirmation.ts'
import { useConfig } from '../../config/config.ts'
import { t, translateError } from '../../i18n/translate.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { MethodRow } from './MethodRow.tsx'

type Props = { identities: readonly Identity[]; onStepUp: (again: () => void) => void }

/** Accounts at providers such as Google that open this one: those there are, and those that can be added. */
export function ProvidersRow({ identities, onStepUp }: Props) {
  const { providers = [] } = useConfig()
  const { linkProvider, status } = useLinkProvider()
  const { unlinkIdentity } = useUnlinkIdentity()
  const { restoreIdentity } = useRestoreIdentity()
  const { linkFarcaster } = useLinkFarcaster()
  const [chosen, setChosen] = useState('')
  const [url, setUrl] = useState<string>()
  const asking = useRef<AbortController>(undefined)
  const stopAsking = () => {
    asking.current?.abort()
    setUrl(undefined)
  }
  useEffect(() => () => asking.current?.abort(), [])

  const nameOf = (provider: string) => providers.find(({ name }) => name === provider)?.label ?? provider
  const failed = (again: () => void) => (error: CountersignError) => {
    if (needsStepUp(error)) onStepUp(again)
    else if (error.reason !== 'cancelled') toasts.add(translateError(error), 'danger')
  }
  const add = (provider: string, input: ProviderInput = { provider }) => {
    setChosen(provider)
    const onSuccess = () => toasts.add(t('{provider} was added to your account.', { provider: nameOf(provider) }), 'ok')
    const onError = failed(() => add(provider))
    if (provider !== 'farcaster') return void linkProvider(input, { onSuccess, onError })
    stopAsking()
    const controller = new AbortController()
    asking.current = controller
    const onSettled = () => asking.current === controller && setUrl(undefined)
    void linkFarcaster({ onUrl: setUrl }, { onSuccess, onError, onSettled, signal: controller.signal })
  }
  const restore = (provider: string) => {
    const onSuccess = () => toasts.add(t('{provider} was added to your account.', { provider: nameOf(provider) }), 'ok')
    void restoreIdentity({ provider }, { onSuccess, onError: failed(() => restore(provider)) })
  }
  const remove = (provider: string) => {
    const undo = { label: t('Undo'), run: () => restore(provider) }
    const onSuccess = () => toasts.add(t('{provider} was removed.', { provider: nameOf(provider) }), 'ok', undo)
    void unlinkIdentity({ provider }, { onSuccess, onError: failed(() => remove(provider)) })
  }
  const goOn = useRef(add)
  goOn.current = add
  // If the browser opened no window, the page itself went to the provider and came back.
  useEffect(() => {
    void takeProviderResponse().then((back) => {
      if (back?.response.state) goOn.current(back.provider, { response: back.response })
    })
  }, [])

  const linked = identities.filter(({ additional }) => !additional)
  const offered = providers.filter(({ name }) => !linked.some(({ provider }) => provider === name))
  if (linked.length === 0 && offered.length === 0) return null
  return (
    <MethodRow
      id="providers"
      icon={methods.provider.icon}
      title={t('Other accounts')}
      state={linked.length > 0 ? 'on' : 'notSetUp'}
      status={methods.provider.describe()}
    >
      <ul aria-labelledby="providers" className="mt-2 sm:ms-13.5">
        {linked.map(({ provider, name = provider, label, lastUsedAt }) => (
          <li key={provider} className="flex items-center gap-3 py-1">
            <div className="min-w-0 flex-1">
              <p className="min-w-0 break-words text-sm font-medium">{label ? `${name} · ${label}` : name}</p>
              <p className="text-xs text-muted">
                {lastUsedAt ? t('Last used') : t('Not used yet')} {lastUsedAt && <RelativeTime date={lastUsedAt} />}
              </p>
            </div>
            <IconButton
              label={t('Remove {provider}', { provider: name })}
              onClick={() => remove(provider)}
              className="hover:text-danger"
            >
              <Trash2 size={18} aria-hidden="true" />
            </IconButton>
          </li>
        ))}
        {offered.map(({ name, label }) => (
          <li key={name} className="py-1">
            <Button look="secondary" pending={status === 'pending' && chosen === name} onClick={() => add(name)}>
              {t('Add {provider}', { provider: label })}
            </Button>
          </li>
        ))}
      </ul>
      {url && (
        <Dialog open onOpenChange={stopAsking} title={t('Add {provider}', { provider: nameOf('farcaster') })}>
          <FarcasterPrompt url={url} />
        </Dialog>
      )}
    </MethodRow>
  )
}
