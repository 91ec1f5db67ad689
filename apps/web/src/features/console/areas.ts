import type { ConsoleArea } from '@countersign/protocol'
import {
  Archive,
  Blocks,
  BookOpen,
  Database,
  File as FileIcon,
  Gauge,
  KeyRound,
  LockKeyhole,
  type LucideIcon,
  Mail,
  ScrollText,
  Settings2,
  SlidersHorizontal,
  Table2,
  Ticket,
  Timer,
  UserCog,
  Users,
  UsersRound,
} from 'lucide-react'
import type { ComponentType } from 'react'
import { t } from '../../i18n/translate.ts'

export type Area = {
  area: ConsoleArea
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
    path: 'users',
    label: () => t('Users'),
    icon: Users,
    load: async () => (await import('./users/Users.tsx')).Users,
  },
  {
    area: 'data',
    path: 'data',
    label: () => t('Data'),
    icon: Database,
    load: async () => (await import('./dataBrowser/DataBrowser.tsx')).DataBrowser,
  },
  {
    area: 'schema',
    path: 'schema',
    label: () => t('Schema'),
    icon: Table2,
    load: async () => (await import('./Schema.tsx')).Schema,
  },
  {
    area: 'access',
    path: 'access',
    label: () => t('Access tester'),
    icon: KeyRound,
    load: async () => (await import('./users/AccessTester.tsx')).AccessTester,
  },
  {
    area: 'roles',
    path: 'roles',
    label: () => t('Roles'),
    icon: UsersRound,
    load: async () => (await import('./users/Roles.tsx')).Roles,
  },
  {
    area: 'tokenGates',
    path: 'tokenGates',
    label: () => t('Token gates'),
    icon: Ticket,
    load: async () => (await import('./users/TokenGates.tsx')).TokenGates,
  },
  {
    area: 'functions',
    path: 'functions',
    label: () => t('Functions and jobs'),
    icon: Timer,
    load: async () => (await import('./functions/Functions.tsx')).Functions,
  },
  {
    area: 'files',
    path: 'files',
    label: () => t('Files'),
    icon: FileIcon,
    load: async () => (await import('./Files.tsx')).Files,
  },
  {
    area: 'config',
    path: 'config',
    label: () => t('Config'),
    icon: SlidersHorizontal,
    load: async () => (await import('./Params.tsx')).Params,
  },
  {
    area: 'mail',
    path: 'mail',
    label: () => t('Emails'),
    icon: Mail,
    load: async () => (await import('./Mail.tsx')).Mail,
  },
  {
    area: 'chain',
    path: 'chain',
    label: () => t('Chains'),
    icon: Blocks,
    load: async () => (await import('./Chain.tsx')).Chain,
  },
  {
    area: 'audit',
    path: 'audit',
    label: () => t('Audit log'),
    icon: ScrollText,
    load: async () => (await import('./AuditLog.tsx')).AuditLog,
  },
  {
    area: 'settings',
    path: 'settings',
    label: () => t('Settings'),
    icon: Settings2,
    load: async () => (await import('./Settings.tsx')).Settings,
  },
  {
    area: 'operators',
    path: 'operators',
    label: () => t('Operators'),
    icon: UserCog,
    load: async () => (await import('./users/Operators.tsx')).Operators,
  },
  {
    area: 'keys',
    path: 'keys',
    label: () => t('Keys'),
    icon: LockKeyhole,
    load: async () => (await import('./Keys.tsx')).Keys,
  },
  {
    area: 'backups',
    path: 'backups',
    label: () => t('Backups'),
    icon: Archive,
    load: async () => (await import('./Backups.tsx')).Backups,
  },
  {
    area: 'api',
    path: 'api',
    label: () => t('API reference'),
    icon: BookOpen,
    load: async () => (await import('./api/ApiReference.tsx')).ApiReference,
  },
]
