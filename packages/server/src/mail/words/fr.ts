import type { MailWords } from './en.ts'

export const words: MailWords = {
  reader: 'à vous',
  testSubject: 'E-mail de test de {app}',
  testText: 'Ceci est un e-mail de test. {app} peut envoyer des e-mails.\n',
  verifySubject: 'Vérifiez votre adresse e-mail pour {app}',
  verifyText:
    'Bonjour {name},\n\nVeuillez vérifier votre adresse e-mail :\n\n{link}\n\nSi vous n’avez rien demandé, vous pouvez ignorer cet e-mail.\n',
  resetSubject: 'Réinitialisez votre mot de passe {app}',
  resetText:
    'Bonjour {name},\n\nUtilisez ce lien pour choisir un nouveau mot de passe :\n\n{link}\n\nSi vous n’avez rien demandé, vous pouvez ignorer cet e-mail. Votre mot de passe reste le même.\n',
  resetTextAlone:
    'Bonjour {name},\n\nUtilisez ce lien pour choisir un nouveau mot de passe :\n\n{link}\n\nCette adresse n’a jamais été vérifiée depuis une session du compte. Le nouveau mot de passe sera donc la seule méthode de connexion : les portefeuilles, les clés d’accès et les codes de secours seront retirés du compte.\n\nSi vous n’avez rien demandé, vous pouvez ignorer cet e-mail. Rien ne changera.\n',
  resetTextGuarded:
    'Bonjour {name},\n\nUtilisez ce lien pour choisir un nouveau mot de passe :\n\n{link}\n\nCette adresse n’a jamais été vérifiée depuis une session du compte, et le compte est protégé. Il faut son second facteur pour réinitialiser le mot de passe. Sans lui, ce lien permet de créer un nouveau compte avec cette adresse.\n\nSi vous n’avez rien demandé, vous pouvez ignorer cet e-mail. Rien ne changera.\n',
  emailCodeSubject: 'Votre code de connexion à {app}',
  emailCodeText:
    'Bonjour {name},\n\nVotre code de connexion à {app} est :\n\n{code}\n\nIl est valable {minutes} minutes et fonctionne une seule fois, dans le navigateur où vous l’avez demandé.\n',
  emailCodeLink: 'Ou ouvrez ce lien dans le même navigateur :\n\n{link}\n',
  emailCodeAlone:
    'Cette adresse n’a jamais été vérifiée depuis une session du compte. Si vous vous connectez, le mot de passe, les portefeuilles, les clés d’accès et les codes de secours du compte seront donc supprimés, et tous les appareils seront déconnectés.\n',
  emailCodeEnd:
    'Ne partagez jamais ce code. Notre équipe ne vous le demandera pas. Si vous ne l’avez pas demandé, vous pouvez ignorer cet e-mail.\n',
  emailCodeTookOver:
    'Votre compte a été ouvert avec un code envoyé à cette adresse. Le mot de passe, les portefeuilles, les clés d’accès et les codes de secours ont été supprimés et tous les appareils déconnectés, car cette adresse n’avait jamais été vérifiée depuis une session du compte.',
  secondFactorOn: 'Un second facteur a été activé. Il sera demandé à la connexion.',
  secondFactorOff: 'Le second facteur a été désactivé.',
  secondFactorGuessed:
    'Quelqu’un s’est connecté avec votre mot de passe ou une autre méthode de connexion et a saisi de nombreux codes erronés pour le second facteur. Les codes ne sont plus acceptés pendant un jour ; les codes de secours et les clés d’accès fonctionnent toujours.',
  newDeviceSubject: 'Nouvel appareil connecté à votre compte {app}',
  newDeviceText:
    'Bonjour {name},\n\nUn nouvel appareil s’est connecté à votre compte.\n\nAppareil : {device}\nAdresse IP : {address}\nHeure : {time}\n\nSi c’était vous, vous n’avez rien à faire. Sinon, sécurisez votre compte :\n\n{link}\n',
  unknown: 'inconnu',
  changeSubject: 'Votre compte {app} a été modifié',
  changeText:
    'Bonjour {name},\n\n{what}\n\nHeure : {time}. Si ce n’était pas vous, connectez-vous, vérifiez vos méthodes de connexion et déconnectez les autres sessions.\n',
  additionText:
    'Bonjour {name},\n\n{what}\n\nHeure : {time}. Si c’était vous, vous n’avez rien à faire. Sinon, ouvrez ce lien jusqu’au {until}. Il fonctionne avec un mot de passe, un portefeuille ou une clé d’accès que votre compte avait déjà. Il supprime tout ce qui a été ajouté depuis, y compris un second facteur, et déconnecte tous les appareils :\n\n{link}\n',
  accountRecovered:
    'Votre compte a été récupéré. Tous les appareils ont été déconnectés ; le mot de passe et tout ce qui a été ajouté récemment ont été supprimés.',
  walletAdded: 'Le portefeuille {address} a été ajouté à votre compte. Il permet désormais de se connecter.',
  walletRemoved: 'Le portefeuille {address} a été retiré de votre compte.',
  walletRestored: 'Le portefeuille {address} a été rétabli dans votre compte.',
  passwordAdded: 'Un mot de passe a été ajouté à votre compte.',
  passwordChanged: 'Le mot de passe de votre compte a été modifié.',
  connectedApp:
    'Une application a maintenant accès à votre compte : {app}. Vous pouvez lui retirer cet accès dans votre compte, sous Applications connectées.',
  passkeyAdded: 'Une clé d’accès a été ajoutée à votre compte.',
  accessTokenCreated: 'Un jeton d’accès nommé « {name} » a été créé pour votre compte.',
  passkeyRemoved: 'Une clé d’accès a été supprimée de votre compte.',
  passkeyRestored: 'Une clé d’accès a été rétablie dans votre compte.',
  guestIdAdded: 'Un identifiant d’invité a été ajouté à votre compte. Il permet désormais de se connecter.',
  guestIdRemoved: 'L’identifiant d’invité a été retiré de votre compte.',
  identityAdded: 'Vous pouvez désormais vous connecter à votre compte avec {provider}.',
  identityRemoved: '{provider} a été retiré des méthodes de connexion de votre compte.',
  mergedInto: 'Le compte {from} a été fusionné avec votre compte {into}. Vous pouvez annuler jusqu’au {until}.',
  mergedAwayLink:
    'Si ce n’était pas vous, ouvrez ce lien pour annuler la fusion jusqu’au {until}. Votre compte revient et vous choisissez un nouveau mot de passe :\n\n{link}\n',
  mergedAway:
    'Votre compte {from} a été fusionné avec le compte {into} et n’existe plus. Vous pouvez annuler jusqu’au {until}.',
  mergeUndone: 'Une fusion de votre compte avec un autre a été annulée.',
  recoveryCodesMade: 'De nouveaux codes de secours ont été générés. Vos anciens codes ne fonctionnent plus.',
  recoveryCodeUsed: 'Un code de secours a servi à se connecter. Il ne peut pas être réutilisé.',
  alertsOff: 'Les alertes de nouvel appareil ont été désactivées.',
  emailChangedSubject: 'Cette adresse e-mail a été retirée de votre compte {app}',
  emailChangedText:
    'Bonjour {name},\n\nCette adresse e-mail a été retirée de votre compte ou remplacée par une autre le {time}.\n\nSi c’était vous, vous n’avez rien à faire. Sinon, récupérez votre compte :\n\n{link}\n\nLe lien fonctionne jusqu’au {until}. Il rétablit cette adresse, déconnecte tous les appareils et supprime toutes les méthodes de connexion ajoutées depuis.\n',
  emailChangedNotice:
    'Bonjour {name},\n\nCette adresse e-mail a été retirée de votre compte ou remplacée par une autre le {time}.\n\nSi ce n’était pas vous, connectez-vous, vérifiez vos méthodes de connexion et déconnectez les autres sessions.\n',
  emailRestored:
    'Cette adresse e-mail a été rétablie dans votre compte. Tous les appareils ont été déconnectés ; le mot de passe et toutes les méthodes de connexion ajoutées après le changement d’adresse ont été supprimés.',
  passwordReset:
    'Un nouveau mot de passe a été défini avec un lien qui vous a été envoyé par e-mail. Vos anciens codes de secours ne fonctionnent plus.',
  passwordResetAlone:
    'Un nouveau mot de passe a été défini avec un lien qui vous a été envoyé par e-mail. C’est désormais la seule méthode de connexion : les portefeuilles, les clés d’accès et les codes de secours ont été retirés, car cette adresse n’avait jamais été vérifiée depuis une session du compte.',
  deletionScheduled:
    'Votre compte sera définitivement supprimé le {time}. Jusque-là, vous pouvez le rétablir en vous connectant.',
  accountRestored: 'Votre compte a été rétabli. Il ne sera plus supprimé.',
}
