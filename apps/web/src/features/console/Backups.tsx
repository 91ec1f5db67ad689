import type { BackupRecord } from '@countersign/protocol'
import { Archive } from 'lucide-react'
import { formatNumber, formatTime } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Detail, DetailList, DetailRow, RowIcon } from '../../ui/DetailRow.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ReadingStatus } from '../../ui/feedback/ReadingStatus.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { useAsk, useConsole } from './ask.ts'
import { formatBytes } from './formats.ts'
import { useChange } from './useChange.ts'

/** Milliseconds between two looks at one that is being made. */
const freshness = 5_000

/** Automatic backups, and a button for another one. */
export function Backups() {
  const isAdmin = useConsole().role === 'admin'
  const backups = useAsk('listBackups', {}, { every: freshness })
  const { pending, change } = useChange()
  const begin = async () => {
    if (await change('createBackup', {}, t('Backup started'))) backups.refetch()
  }
  const { isSet, every, keep, isEncrypted, results = [] } = backups.data ?? {}
  return (
    <>
      <PageHeader
        title={t('Backups')}
        aside={
          isAdmin &&
          isSet && (
            <Button pending={pending} onClick={() => void begin()}>
              {t('Back up now')}
            </Button>
          )
        }
      >
        {backups.data && every !== undefined
          ? t('Every {hours} hours. Keeps the last {keep}.', {
              hours: formatNumber(every),
              keep: formatNumber(keep ?? 0),
            })
          : t('Backups that the server created automatically.')}
      </PageHeader>
      <ReadingStatus reading={backups} failure={t('The backups could not be loaded')} />
      {isSet === false && (
        <Alert tone="warn" className="mb-6" title={t('No backup location is set in the configuration.')}>
          {t('To turn on backups, set “backup” in the configuration file.')}
        </Alert>
      )}
      {isSet && !isEncrypted && (
        <Alert tone="warn" className="mb-6" title={t('Backups are not encrypted.')}>
          {t('They contain this server’s keys. Set “backup.passphrase” to encrypt them.')}
        </Alert>
      )}
      {backups.data && (
        <Card>
          {results.length === 0 && <EmptyState icon={Archive} title={t('No backups')} />}
          <ul className="-my-3.5 divide-y divide-line">
            {results.map((backup) => (
              <BackupRow key={backup.name} backup={backup} />
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

const hashName = 'SHA-256'

function BackupRow({ backup: { name, place, started, finished, bytes, sha256, error } }: { backup: BackupRecord }) {
  return (
    <DetailRow
      icon={<RowIcon icon={Archive} />}
      heading="h2"
      title={formatTime(new Date(started))}
      aside={
        error !== undefined ? (
          <Badge tone="warn">{t('Failed')}</Badge>
        ) : finished ? (
          <Badge tone="ok">{t('Completed')}</Badge>
        ) : (
          <Badge>{t('In progress')}</Badge>
        )
      }
      facts={[bytes !== undefined && formatBytes(bytes), error]}
      minorFact={<RelativeTime date={new Date(started)} />}
    >
      <DetailList>
        <Detail name={t('Name')}>
          <code className="text-xs break-all">{name}</code>
        </Detail>
        <Detail name={t('Location')}>
          <code className="text-xs break-all">{place}</code>
        </Detail>
        {finished && <Detail name={t('Finished')}>{formatTime(new Date(finished))}</Detail>}
        {sha256 && (
          <Detail name={hashName}>
            <code className="text-xs break-all">{sha256}</code>
          </Detail>
        )}
      </DetailList>
    </DetailRow>
  )
}
