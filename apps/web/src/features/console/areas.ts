import type { ConsoleArea } from '@countersign/protocol'
import {
  AppWindow,
  Archive,
  BellRing,
  Blocks,
  BookOpen,
  Database,
  File as FileIcon,
  Gauge,
  KeyRound,
  LockKeyhole,
  LogIn,
  type LucideIcon,
  Mail,
  ScrollText,
  Settings2,
  SlidersHorizontal,
  SquareTerminal,
  Table2,
  Ticket,
  Timer,
  UserCog,
  Users,
  UsersRound,
} from 'lucide-react'
import type { ComponentType } from 'react'
import { t } from '../../i18n/translate.ts'

/** Heading in the navigation. */
export type AreaGroup = 'users' | 'data' | 'code' | 'chain' | 'system'

export type Area = {
  area: ConsoleArea
  group?: AreaGroup
  /** Path below /admin; the screen has its own routes for the rest. */
  path: string
  label: () => string
  icon: LucideIcon
  /** Fetched when it is visited. */
  load: () => Promise<ComponentType>
}

/** The screens of the console, in the order of its navigation. The server decides which of them a role gets to see. */
export const areas: Area[] = [
  {
    area: 'overview',
    path: '',
    label: () => t('Overview'),
    icon: Gauge,
    load: async () => (await import('./Overview.tsx')).Overview,
  },
  {
    area: 'users',
    group: 'users',
    path: 'users',
    label: () => t('Users'),
    icon: Users,
    load: async () => (await import('./users/Users.tsx')).Users,
  },
  {
    area: 'signIns',
    group: 'users',
    path: 'signIns',
    label: () => t('Sign-ins'),
    icon: LogIn,
    load: async () => (await import('./signIns/SignIns.tsx')).SignIns,
  },
  {
    area: 'data',
    group: 'data',
    path: 'data',
    label: () => t('Data'),
    icon: Database,
    load: async () => (await import('./dataBrowser/DataBrowser.tsx')).DataBrowser,
  },
  {
    area: 'sql',
    group: 'data',
    path: 'sql',
    label: () => t('SQL'),
    icon: SquareTerminal,
    load: async () => (await import('./sql/SqlEditor.tsx')).SqlEditor,
  },
  {
    area: 'schema',
    group: 'data',
    path: 'schema',
    label: () => t('Schema'),
    icon: Table2,
    load: async () => (await import('./Schema.tsx')).Schema,
  },
  {
    area: 'access',
    group: 'users',
    path: 'access',
    label: () => t('Access tester'),
    icon: KeyRound,
    load: async () => (await import('./users/AccessTester.tsx')).AccessTester,
  },
  {
    area: 'roles',
    group: 'users',
    path: 'roles',
    label: () => t('Roles'),
    icon: UsersRound,
    load: async () => (await import('./users/Roles.tsx')).Roles,
  },
  {
    area: 'tokenGates',
    group: 'chain',
    path: 'tokenGates',
    label: () => t('Token gates'),
    icon: Ticket,
    load: async () => (await import('./users/TokenGates.tsx')).TokenGates,
  },
  {
    area: 'functions',
    group: 'code',
    path: 'functions',
    label: () => t('Functions and jobs'),
    icon: Timer,
    load: async () => (await import('./functions/Functions.tsx')).Functions,
  },
  {
    area: 'files',
    group: 'data',
    path: 'files',
    label: () => t('Files'),
    icon: FileIcon,
    load: async () => (await import('./Files.tsx')).Files,
  },
  {
    area: 'config',
    group: 'code',
    path: 'config',
    label: () => t('Config'),
    icon: SlidersHorizontal,
    load: async () => (await import('./Params.tsx')).Params,
  },
  {
    area: 'push',
    group: 'users',
    path: 'push',
    label: () => t('Push notifications'),
    icon: BellRing,
    load: async () => (await import('./Push.tsx')).Push,
  },
  {
    area: 'mail',
    group: 'system',
    path: 'mail',
    label: () => t('Emails'),
    icon: Mail,
    load: async () => (await import('./Mail.tsx')).Mail,
  },
  {
    area: 'chain',
    group: 'chain',
    path: 'chain',
    label: () => t('Chains'),
    icon: Blocks,
    load: async () => (await import('./Chain.tsx')).Chain,
  },
  {
    area: 'audit',
    group: 'system',
    path: 'audit',
    label: () => t('Audit log'),
    icon: ScrollText,
    load: async () => (await import('./audit/AuditLog.tsx')).AuditLog,
  },
  {
    area: 'settings',
    group: 'system',
    path: 'settings',
    label: () => t('Settings'),
    icon: Settings2,
    load: async () => (await import('./Settings.tsx')).Settings,
  },
  {
    area: 'operators',
    group: 'users',
    path: 'operators',
    label: () => t('Operators'),
    icon: UserCog,
    load: async () => (await import('./users/Operators.tsx')).Operators,
  },
  {
    area: 'clients',
    group: 'users',
    path: 'clients',
    label: () => t('Apps'),
    icon: AppWindow,
    load: async () => (await import('./clients/Clients.tsx')).Clients,
  },
  {
    area: 'keys',
    group: 'system',
    path: 'keys',
    label: () => t('Keys'),
    icon: LockKeyhole,
    load: async () => (await import('./Keys.tsx')).Keys,
  },
  {
    area: 'backups',
    group: 'data',
    path: 'backups',
    label: () => t('Backups'),
    icon: Archive,
    load: async () => (await import('./Backups.tsx')).Backups,
  },
  {
    area: 'api',
    group: 'code',
    path: 'api',
    label: () => t('API reference'),
    icon: BookOpen,
    load: async () => (await import('./api/ApiReference.tsx')).ApiReference,
  },
]
