import type { ComponentType } from 'react'
import { BrowserRouter, matchRoutes, Navigate, type RouteObject, useRoutes } from 'react-router'
import { lazyPart } from '../ui/lazyPart.ts'
import { AppShell } from './AppShell.tsx'
import { RequireSession, RequireVisitor } from './access.tsx'
import { BootGate } from './BootGate.tsx'

type Load = () => Promise<ComponentType>

/**
 * A screen whose code is fetched when it is visited. The `lazy` of a data router would do the same, and would add
 * 12 kB to the first load.
 */
function screen(load: Load) {
  const Screen = lazyPart(load)
  return { element: <Screen />, handle: load }
}

const routes: RouteObject[] = [
  {
    element: <AppShell />,
    children: [
      { index: true, ...screen(async () => (await import('./Home.tsx')).Home) },
      {
        element: <RequireVisitor />,
        children: [
          { path: 'sign-in', ...screen(async () => (await import('../features/signIn/SignIn.tsx')).SignIn) },
          { path: 'sign-in/code', ...screen(async () => (await import('../features/signIn/EmailCode.tsx')).EmailCode) },
          { path: 'sign-in/link', ...screen(async () => (await import('../features/signIn/EmailLink.tsx')).EmailLink) },
          {
            path: 'sign-in/second-step',
            ...screen(async () => (await import('../features/signIn/SecondStep.tsx')).SecondStep),
          },
          { path: 'recover', ...screen(async () => (await import('../features/signIn/Recover.tsx')).Recover) },
          { path: 'sign-up', ...screen(async () => (await import('../features/signIn/SignUp.tsx')).SignUp) },
        ],
      },
      { path: 'forgot', ...screen(async () => (await import('../features/signIn/Forgot.tsx')).Forgot) },
      { path: 'reset', ...screen(async () => (await import('../features/signIn/Reset.tsx')).Reset) },
      { path: 'verify-email', ...screen(async () => (await import('../features/signIn/VerifyEmail.tsx')).VerifyEmail) },
      {
        path: 'recover-account',
        ...screen(async () => (await import('../features/signIn/RecoverAccount.tsx')).RecoverAccount),
      },
      { path: 'undo-email', ...screen(async () => (await import('../features/signIn/UndoEmail.tsx')).UndoEmail) },
      { path: 'undo-email/merge', ...screen(async () => (await import('../features/signIn/UndoEmail.tsx')).UndoMerge) },
      { path: 'authorize/:uid', ...screen(async () => (await import('../features/apps/Authorize.tsx')).Authorize) },
      { path: 'welcome', ...screen(async () => (await import('../features/onboarding/Onboarding.tsx')).Onboarding) },
      {
        path: 'account',
        element: <RequireSession />,
        children: [
          { index: true, element: <Navigate to="/account/profile" replace /> },
          { path: 'profile', ...screen(async () => (await import('../features/profile/Profile.tsx')).Profile) },
          { path: 'wallets', ...screen(async () => (await import('../features/wallets/Wallets.tsx')).Wallets) },
          { path: 'portfolio', ...screen(async () => (await import('../features/portfolio/Portfolio.tsx')).Portfolio) },
          { path: 'portfolio/send', ...screen(async () => (await import('../features/send/Send.tsx')).Send) },
          { path: 'sessions', ...screen(async () => (await import('../features/sessions/Sessions.tsx')).Sessions) },
          { path: 'security', ...screen(async () => (await import('../features/security/Security.tsx')).Security) },
          { path: 'apps', ...screen(async () => (await import('../features/apps/ConnectedApps.tsx')).ConnectedApps) },
          { path: 'activity', ...screen(async () => (await import('../features/activity/Activity.tsx')).Activity) },
        ],
      },
      {
        path: 'explorer/:chain?/*',
        ...screen(async () => (await import('../features/explorer/Explorer.tsx')).Explorer),
      },
      { path: 'admin/*', ...screen(async () => (await import('./Admin.tsx')).Admin) },
      { path: 'outbox', ...screen(async () => (await import('../features/outbox/Outbox.tsx')).Outbox) },
      { path: '*', ...screen(async () => (await import('./NotFound.tsx')).NotFound) },
    ],
  },
]

// The first screen's code comes while the configuration and the session are still being asked for.
const first: Load | undefined = matchRoutes(routes, window.location)?.at(-1)?.route.handle
first?.().catch(() => {
  // Rendering the screen retries and reports the error.
})

export function App() {
  return (
    <BootGate>
      <BrowserRouter>
        <Screens />
      </BrowserRouter>
    </BootGate>
  )
}

function Screens() {
  return useRoutes(routes)
}
