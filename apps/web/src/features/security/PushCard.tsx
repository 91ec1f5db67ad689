import { type PushState, usePush } from '@countersign/react/push'
import { useConfig } from '../../config/config.ts'
import { workerPath } from '../../config/worker.ts'
import { t, translateError } from '../../i18n/translate.ts'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { SwitchField } from '../../ui/forms/SwitchField.tsx'

/** Switch for push notifications in this browser, if the operator sends any. */
export function PushCard() {
  const { push } = useConfig()
  return push ? <PushSwitch /> : null
}

function PushSwitch() {
  const { state, subscribe, unsubscribe, isPending } = usePush({ worker: workerPath })
  if (state === undefined || state === 'unsupported') return null
  const set = (isOn: boolean) => {
    const onError = (error: Parameters<typeof translateError>[0]) => toasts.add(translateError(error), 'danger')
    if (!isOn) {
      const onSuccess = () => toasts.add(t('Notifications are off in this browser.'), 'ok')
      return void unsubscribe({ onSuccess, onError })
    }
    const onSuccess = (next: PushState) => {
      if (next === 'subscribed') toasts.add(t('Notifications are on in this browser.'), 'ok')
    }
    void subscribe({}, { onSuccess, onError })
  }
  return (
    <Card aria-labelledby="push">
      <CardHeader id="push" title={t('Notifications')}>
        {state === 'denied'
          ? t('This browser blocks notifications from this site. Allow them in its settings.')
          : t('Get notifications in this browser, even when this page is closed.')}
      </CardHeader>
      <SwitchField
        label={t('Notify me in this browser')}
        checked={state === 'subscribed'}
        disabled={state === 'denied' || isPending}
        onChange={set}
      />
    </Card>
  )
}
