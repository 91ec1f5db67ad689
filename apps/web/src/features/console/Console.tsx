import type { CountersignError } from '@countersign/react'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { NavLink, Route, Routes, useLocation } from 'react-router'
import { needsStepUp, useConfirmation } from '../../account/signIn/useConfirmation.ts'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { cx } from '../../ui/cx.ts'
import { RowsSkeleton } from '../../ui/feedback/RowsSkeleton.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { describeError } from '../../ui/forms/describeError.ts'
import { Main } from '../../ui/Page.tsx'
import { type Area, areas } from './areas.ts'
import { type Act, ActContext, ask, ConsoleContext, type Output, type Prove, ProveContext } from './ask.ts'
import { describeRole } from './describe.ts'
import { consolePlaces } from './places.ts'

const StepUpDialog = lazy(async () => ({
  default: (await import('../../account/signIn/StepUpDialog.tsx')).StepUpDialog,
}))

const screens = new Map(areas.map((area) => [area.area, lazy(async () => ({ default: await area.load() }))]))

type Props = { known: Output<'getConsole'>; onNotFound: () => React.ReactNode }

/** The operator's console: its navigation, and the screen that was asked for. */
export function Console({ known, onNotFound }: Props) {
  const { act, prove, dialog } = useStepUp()
  const shown = useMemo(() => areas.filter(({ area }) => known.areas.includes(area)), [known])
  useEffect(() => {
    const inside = shown.filter(({ path }) => path !== '')
    consolePlaces.current = inside.map(({ path, label, icon }) => ({ to: `/admin/${path}`, label, icon }))
    return () => {
      consolePlaces.current = []
    }
  }, [shown])
  return (
    <ConsoleContext value={known}>
      <ActContext value={act}>
        <ProveContext value={prove}>
          <div className="mx-auto grid w-full max-w-6xl gap-x-8 px-4 pt-4 pb-10 sm:px-6 md:grid-cols-[12.5rem_minmax(0,1fr)] lg:gap-x-10">
            <Navigation shown={shown} known={known} />
            <Main className="min-w-0">
              <Suspense fallback={<RowsSkeleton label={t('Loading…')} />}>
                <Routes>
                  {shown.map(({ area, path }) => {
                    const Screen = screens.get(area)
                    return Screen && <Route key={area} path={path === '' ? '/' : `${path}/*`} element={<Screen />} />
                  })}
                  <Route path="*" element={onNotFound()} />
                </Routes>
              </Suspense>
            </Main>
          </div>
          {dialog.open && (
            <Suspense>
              <StepUpDialog {...dialog} />
            </Suspense>
          )}
        </ProveContext>
      </ActContext>
    </ConsoleContext>
  )
}

/** At the side; on a phone a row above the screen that can be pushed sideways. */
function Navigation({ shown, known }: { shown: Area[]; known: Output<'getConsole'> }) {
  const row = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path marks another area
  useEffect(() => {
    const [bar, marked] = [row.current, row.current?.querySelector<HTMLElement>('[aria-current="page"]')]
    if (!bar || !marked) return
    const [place, own] = [bar.getBoundingClientRect(), marked.getBoundingClientRect()]
    bar.scrollBy({ left: own.left + own.width / 2 - (place.left + place.width / 2) })
  }, [pathname])
  return (
    <nav
      ref={row}
      aria-label={t('Console')}
      className="max-md:-mx-4 max-md:mb-4 max-md:overflow-x-auto max-md:px-4 print:hidden"
    >
      <ul className="flex gap-1 md:sticky md:top-6 md:flex-col">
        {shown.map(({ area, path, label, icon: Icon }) => (
          <li key={area}>
            <NavLink
              to={path === '' ? '/admin' : `/admin/${path}`}
              end={path === ''}
              className={({ isActive }) =>
                cx(
                  'flex min-h-11 items-center gap-3 rounded-control px-3.5 text-sm font-semibold whitespace-nowrap transition-colors',
                  isActive ? 'bg-accent-soft text-accent' : 'text-muted hover:bg-sunken hover:text-ink',
                )
              }
            >
              <Icon size={20} aria-hidden="true" />
              {label()}
            </NavLink>
          </li>
        ))}
        <li className="flex items-center px-3.5 py-2 md:mt-2">
          <Badge tone={known.production ? 'warn' : 'neutral'}>{describeRole(known.role)}</Badge>
        </li>
      </ul>
    </nav>
  )
}

/** Carries changes out; one that needs a proof waits until the operator has given it, and is then sent again. */
function useStepUp(): { act: Act; prove: Prove; dialog: ReturnType<typeof useConfirmation>['dialog'] } {
  const { ask: wait, dialog } = useConfirmation()
  const [giveUp, setGiveUp] = useState<() => void>()
  const prove: Prove = useCallback(
    async (send) => {
      try {
        return await send()
      } catch (cause) {
        if (!needsStepUp(cause as CountersignError)) throw cause
        const isConfirmed = await new Promise<boolean>((resolve) => {
          setGiveUp(() => () => resolve(false))
          wait(() => resolve(true))
        })
        return isConfirmed ? send() : undefined
      }
    },
    [wait],
  )
  const act: Act = useCallback((name, input) => prove(() => ask(name, input)).catch(fail), [prove])
  const onOpenChange = () => {
    giveUp?.()
    dialog.onOpenChange()
  }
  return { act, prove, dialog: { ...dialog, onOpenChange } }
}

function fail(error: CountersignError): undefined {
  toasts.add(describeError(error).message, 'danger')
}
