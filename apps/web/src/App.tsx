import { lazy } from 'react'
import { BrowserRouter, Navigate, Route, Routes } from 'react-router'
import { AppShell } from './components/AppShell.tsx'
import { BootGate } from './components/BootGate.tsx'
import { RequireSession } from './components/RequireSession.tsx'
import { RequireVisitor } from './components/RequireVisitor.tsx'

const load = {
  home: () => import('./screens/Home.tsx'),
  signIn: () => import('./screens/SignIn.tsx'),
  recover: () => import('./screens/Recover.tsx'),
  signUp: () => import('./screens/SignUp.tsx'),
  forgot: () => import('./screens/Forgot.tsx'),
  reset: () => import('./screens/Reset.tsx'),
  verifyEmail: () => import('./screens/VerifyEmail.tsx'),
  undoEmail: () => import('./screens/UndoEmail.tsx'),
  newcomer: () => import('./screens/Newcomer.tsx'),
  profile: () => import('./screens/Profile.tsx'),
  wallets: () => import('./screens/Wallets.tsx'),
  sessions: () => import('./screens/Sessions.tsx'),
  security: () => import('./screens/Security.tsx'),
  activity: () => import('./screens/Activity.tsx'),
  portfolio: () => import('./screens/Portfolio.tsx'),
  explorer: () => import('./screens/Explorer.tsx'),
  outbox: () => import('./screens/Outbox.tsx'),
  notFound: () => import('./screens/NotFound.tsx'),
}

const Home = lazy(async () => ({ default: (await load.home()).Home }))
const SignIn = lazy(async () => ({ default: (await load.signIn()).SignIn }))
const Recover = lazy(async () => ({ default: (await load.recover()).Recover }))
const SignUp = lazy(async () => ({ default: (await load.signUp()).SignUp }))
const Forgot = lazy(async () => ({ default: (await load.forgot()).Forgot }))
const Reset = lazy(async () => ({ default: (await load.reset()).Reset }))
const VerifyEmail = lazy(async () => ({ default: (await load.verifyEmail()).VerifyEmail }))
const UndoEmail = lazy(async () => ({ default: (await load.undoEmail()).UndoEmail }))
const Newcomer = lazy(async () => ({ default: (await load.newcomer()).Newcomer }))
const Profile = lazy(async () => ({ default: (await load.profile()).Profile }))
const Wallets = lazy(async () => ({ default: (await load.wallets()).Wallets }))
const Sessions = lazy(async () => ({ default: (await load.sessions()).Sessions }))
const Security = lazy(async () => ({ default: (await load.security()).Security }))
const Activity = lazy(async () => ({ default: (await load.activity()).Activity }))
const Portfolio = lazy(async () => ({ default: (await load.portfolio()).Portfolio }))
const Explorer = lazy(async () => ({ default: (await load.explorer()).Explorer }))
const Outbox = lazy(async () => ({ default: (await load.outbox()).Outbox }))
const NotFound = lazy(async () => ({ default: (await load.notFound()).NotFound }))

const loadByPath = new Map<string, () => Promise<unknown>>([
  ['/', load.home],
  ['/sign-in', load.signIn],
  ['/recover', load.recover],
  ['/sign-up', load.signUp],
  ['/forgot', load.forgot],
  ['/reset', load.reset],
  ['/verify-email', load.verifyEmail],
  ['/undo-email', load.undoEmail],
  ['/welcome', load.newcomer],
  ['/account/profile', load.profile],
  ['/account/wallets', load.wallets],
  ['/account/sessions', load.sessions],
  ['/account/security', load.security],
  ['/account/activity', load.activity],
  ['/account/portfolio', load.portfolio],
  ['/explorer', load.explorer],
  ['/outbox', load.outbox],
])
// The first screen's code comes while the configuration and the session are still being asked for.
loadByPath
  .get(window.location.pathname)?.()
  .catch(() => {
    // Drawing the screen asks again and reports what is wrong.
  })

export function App() {
  return (
    <BootGate>
      <BrowserRouter>
        <Routes>
          <Route element={<AppShell />}>
            <Route index element={<Home />} />
            <Route element={<RequireVisitor />}>
              <Route path="sign-in" element={<SignIn />} />
              <Route path="recover" element={<Recover />} />
              <Route path="sign-up" element={<SignUp />} />
            </Route>
            <Route path="forgot" element={<Forgot />} />
            <Route path="reset" element={<Reset />} />
            <Route path="verify-email" element={<VerifyEmail />} />
            <Route path="undo-email" element={<UndoEmail />} />
            <Route path="welcome" element={<Newcomer />} />
            <Route path="account" element={<RequireSession />}>
              <Route index element={<Navigate to="/account/profile" replace />} />
              <Route path="profile" element={<Profile />} />
              <Route path="wallets" element={<Wallets />} />
              <Route path="portfolio" element={<Portfolio />} />
              <Route path="sessions" element={<Sessions />} />
              <Route path="security" element={<Security />} />
              <Route path="activity" element={<Activity />} />
            </Route>
            <Route path="explorer/:chain?/*" element={<Explorer />} />
            <Route path="outbox" element={<Outbox />} />
            <Route path="*" element={<NotFound />} />
          </Route>
        </Routes>
      </BrowserRouter>
    </BootGate>
  )
}
