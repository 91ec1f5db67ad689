import type { CountersignError } from '@countersign/react'
import { Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { Route, Routes } from 'react-router'
import { needsStepUp, useConfirmation } from '../../account/signIn/useConfirmation.ts'
import { t } from '../../i18n/translate.ts'
import { cx } from '../../ui/cx.ts'
import { RowsSkeleton } from '../../ui/feedback/RowsSkeleton.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { describeError } from '../../ui/forms/describeError.ts'
import { lazyPart } from '../../ui/lazyPart.ts'
import { Main } from '../../ui/Page.tsx'
import { areas } from './areas.ts'
import { type Act, ActContext, ask, ConsoleContext, type Output, type Prove, ProveContext } from './ask.ts'
import { useLayout } from './layout.ts'
import { Navigation } from './Navigation.tsx'
import { consolePlaces } from './places.ts'

const StepUpDialog = lazyPart(async () => (await import('../../account/signIn/StepUpDialog.tsx')).StepUpDialog)

const screens = new Map(areas.map((area) => [area.area, lazyPart(area.load)]))

type Props = { known: Output<'getConsole'>; onNotFound: () => React.ReactNode }

/** The operator's console: its navigation, and the screen that was asked for. */
export function Console({ known, onNotFound }: Props) {
  const { act, prove, dialog } = useStepUp()
  const layout = useLayout()
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
          <div
            data-density={layout.isCompact ? 'compact' : undefined}
            className={cx(
              'grid w-full flex-1 grid-rows-[auto_1fr] gap-x-6 px-4 pt-2 pb-10 sm:px-6 md:grid-rows-none lg:gap-x-8',
              layout.isNarrow ? 'md:grid-cols-[2.75rem_minmax(0,1fr)]' : 'md:grid-cols-[13.75rem_minmax(0,1fr)]',
            )}
          >
            <Navigation shown={shown} known={known} layout={layout} />
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
