import type { MailWords } from './en.ts'

export const words: MailWords = {
  reader: 'cher utilisateur',
  verifySubject: 'Confirmez votre adresse e-mail pour {app}',
  verifyText:
    'Bonjour {name},\n\nVeuillez confirmer que cette adresse e-mail est la vôtre :\n\n{link}\n\nSi vous n’avez rien demandé, vous pouvez ignorer ce message.\n',
  resetSubject: 'Choisissez un nouveau mot de passe pour {app}',
  resetText:
    'Bonjour {name},\n\nSuivez ce lien pour choisir un nouveau mot de passe :\n\n{link}\n\nSi vous n’avez rien demandé, vous pouvez ignorer ce message ; votre mot de passe reste le même.\n',
  resetTextAlone:
    'Bonjour {name},\n\nSuivez ce lien pour choisir un nouveau mot de passe :\n\n{link}\n\nCette adresse n’a jamais été confirmée depuis le compte. Le nouveau mot de passe sera donc le seul moyen de se connecter : les portefeuilles, les clés d’accès et les codes de secours sont retirés du compte.\n\nSi vous n’avez rien demandé, vous pouvez ignorer ce message ; rien ne change.\n',
  newDeviceSubject: 'Un nouvel appareil s’est connecté à votre compte {app}',
  newDeviceText:
    'Bonjour {name},\n\nUn appareil encore inconnu s’est connecté à votre compte.\n\nAppareil : {device}\nAdresse : {address}\nHeure : {time}\n\nSi c’était vous, il n’y a rien à faire. Sinon, signalez-le ici :\n\n{link}\n',
  unknown: 'inconnu',
  changeSubject: 'Un changement sur votre compte {app}',
  changeText:
    'Bonjour {name},\n\n{what}\n\nC’était à {time}. Si ce n’était pas vous, connectez-vous, vérifiez vos moyens de connexion et fermez les autres sessions.\n',
  walletAdded: 'Le portefeuille {address} a été ajouté à votre compte. Il permet désormais de s’y connecter.',
  walletRemoved: 'Le portefeuille {address} a été retiré de votre compte.',
  walletRestored: 'Le portefeuille {address} a été remis dans votre compte.',
  passkeyAdded: 'Une clé d’accès a été ajoutée à votre compte.',
  passkeyRemoved: 'Une clé d’accès a été retirée de votre compte.',
  mergedInto: 'Le compte {from} a été réuni à votre compte {into}. Cela peut être annulé pendant 24 heures.',
  mergedAway:
    'Votre compte {from} a été réuni au compte {into} et n’existe plus. Cela peut être annulé pendant 24 heures.',
  mergeUndone: 'Une réunion de votre compte avec un autre a été annulée.',
  recoveryCodesMade: 'De nouveaux codes de secours ont été créés. Les précédents ne fonctionnent plus.',
  recoveryCodeUsed: 'Un code de secours a servi à se connecter. Il ne fonctionne pas une seconde fois.',
  alertsOff: 'Les alertes de nouveaux appareils ont été désactivées.',
  emailChangedSubject: 'Cette adresse e-mail a été retirée de votre compte sur {app}',
  emailChangedText:
    'Bonjour {name},\n\nCette adresse e-mail a été retirée de votre compte, ou remplacée par une autre, à {time}.\n\nSi c’était vous, il n’y a rien à faire. Sinon, reprenez votre compte ici :\n\n{link}\n\nLe lien fonctionne jusqu’à {until}. Il rétablit cette adresse, déconnecte tout le monde et retire ce qui a été ajouté depuis pour se connecter.\n',
  emailChangedNotice:
    'Bonjour {name},\n\nCette adresse e-mail a été retirée de votre compte, ou remplacée par une autre, à {time}.\n\nSi ce n’était pas vous, connectez-vous, vérifiez vos moyens de connexion et fermez les autres sessions.\n',
  emailRestored:
    'Cette adresse e-mail appartient de nouveau à votre compte. Tout le monde a été déconnecté ; le mot de passe et tout ce qui avait été ajouté pour se connecter depuis le changement d’adresse ont été retirés.',
  passwordReset:
    'Un nouveau mot de passe a été choisi au moyen d’un lien qui vous a été envoyé. Les codes de secours précédents ne fonctionnent plus.',
  passwordResetAlone:
    'Un nouveau mot de passe a été choisi au moyen d’un lien qui vous a été envoyé. C’est désormais le seul moyen de se connecter : les portefeuilles, les clés d’accès et les codes de secours ont été retirés, car cette adresse n’avait jamais été confirmée depuis le compte.',
  deletionScheduled:
    'Votre compte sera définitivement supprimé à {time}. Jusque-là, vous pouvez le rétablir en vous connectant.',
  accountRestored: 'Votre compte a été rétabli. Il ne sera plus supprimé.',
}
