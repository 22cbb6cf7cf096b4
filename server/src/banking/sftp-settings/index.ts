// What other nouns use of sftp-settings. The rest of this folder is private to it.

export { SftpSettings, withoutSecrets } from "./settings.ts";
