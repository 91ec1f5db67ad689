import type { OverviewRecord } from '@countersign/protocol'
import { CircleCheck, CircleDashed, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { getServer } from '../../../config/callEndpoint.ts'
import { t } from '../../../i18n/translate.ts'
import { IconButton } from '../../../ui/Button.tsx'
import { Card, CardHeader } from '../../../ui/Card.tsx'
import { useAsk, useConsole } from '../ask.ts'
import { CodeBox } from '../CodeBox.tsx'

/** Names that every language keeps. */
const names = { react: 'React', curl: 'curl' }

const key = 'countersign.console.firstSteps'

function isHidden(): boolean {
  try {
    return localStorage.getItem(key) === 'hidden'
  } catch {
    return false
  }
}

/** Steps of a new installation, until they are done or hidden. */
export function FirstSteps({ overview }: { overview: OverviewRecord }) {
  const { role } = useConsole()
  const [isGone, setGone] = useState(isHidden)
  const isShown = role === 'admin' && !isGone
  const schemas = useAsk('listSchemas', {}, { enabled: isShown })
  const settings = useAsk('getSettings', {}, { enabled: isShown })
  if (!isShown || !schemas.data || !settings.data) return null
  const isSet = (name: string) => settings.data?.results.some((each) => each.name === name && each.isSet) ?? false
  const origins = settings.data.results.find(({ name }) => name === 'allowOrigin')
  const { serverUrl: address, appId } = getServer()
  const serverUrl = new URL(address, window.location.href).href
  const hide = () => {
    try {
      localStorage.setItem(key, 'hidden')
    } catch {
      // Hidden until the page is closed.
    }
    setGone(true)
  }
  const steps = [
    {
      name: t('Connect your app'),
      isDone: overview.users.total > 1,
      content: (
        <>
          <CodeBox label={t('Terminal')} text="npm install @countersign/react" />
          <CodeBox label={names.react} text={writeReact(serverUrl, appId)} />
        </>
      ),
    },
    {
      name: t('Store an object'),
      isDone: schemas.data.results.some(({ className }) => !className.startsWith('_')),
      content: <CodeBox label={names.curl} text={writeCurl(serverUrl, appId)} />,
    },
    {
      name: t('Let emails be sent'),
      isDone: isSet('smtp'),
      content: <SettingLink>{t('Set “smtp” in the settings')}</SettingLink>,
    },
    {
      name: t('Allow the address of your app'),
      isDone: origins?.source !== 'default',
      content: <SettingLink>{t('Set “allowOrigin” in the settings')}</SettingLink>,
    },
  ]
  const open = steps.filter(({ isDone }) => !isDone)
  if (open.length === 0) return null
  return (
    <Card aria-labelledby="first-steps" className="mb-6">
      <CardHeader
        id="first-steps"
        title={t('First steps')}
        isNarrow
        aside={
          <IconButton label={t('Hide first steps')} onClick={hide}>
            <X size={18} aria-hidden="true" />
          </IconButton>
        }
      >
        {t('{done} of {count} done', { done: steps.length - open.length, count: steps.length })}
      </CardHeader>
      <ul className="divide-y divide-line">
        {steps.map(({ name, isDone, content }) => (
          <li key={name} className="py-2">
            {isDone ? (
              <p className="flex min-h-11 items-center gap-3 text-muted">
                <CircleCheck size={20} aria-hidden="true" className="shrink-0 text-ok" />
                {name}
                <span className="sr-only">: {t('Done')}</span>
              </p>
            ) : (
              <details open={name === open[0]?.name}>
                <summary className="flex min-h-11 items-center gap-3 font-semibold">
                  <CircleDashed size={20} aria-hidden="true" className="shrink-0 text-muted" />
                  {name}
                </summary>
                <div className="mt-1 mb-2 flex flex-col gap-3 ps-8">{content}</div>
              </details>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function SettingLink({ children }: { children: ReactNode }) {
  return (
    <p className="text-sm">
      <Link to="/admin/settings" className="font-semibold text-accent hover:underline">
        {children}
      </Link>
    </p>
  )
}

const writeReact = (serverUrl: string, appId: string) => `import { CountersignProvider } from '@countersign/react'
import { SignInButton } from '@countersign/react/sheet'
import '@countersign/react/sheet.css'

export const App = () => (
  <CountersignProvider appId="${appId}" serverUrl="${serverUrl}" initializeOnMount>
    <SignInButton />
  </CountersignProvider>
)`

const writeCurl = (serverUrl: string, appId: string) => `curl -X POST ${serverUrl}/classes/Score \\
  -H 'X-Parse-Application-Id: ${appId}' \\
  -H 'X-Parse-Master-Key: YOUR_MASTER_KEY' \\
  -H 'Content-Type: application/json' \\
  -d '{"points": 1}'`
