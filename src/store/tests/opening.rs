//! What is refused at opening, and the words a person reads then.

use super::*;

#[test]
fn a_second_daemon_is_told_who_has_the_database() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    let error = Store::open(&path).err().expect("refused").to_string();
    let process = std::process::id();
    let wanted = format!(
        "the database {} is in use by another Kith (process {process}). Stop it first, or set another data_dir for this one",
        path.display()
    );
    assert_eq!(error, wanted);
    drop(store);
    assert!(Store::open(&path).is_ok(), "the last handle lets go of it");
}

#[test]
fn a_newer_database_is_refused_and_left_as_it_is() {
    let (_folder, path) = on_disk();
    drop(open(&path));
    let mut bytes = std::fs::read(&path).expect("read");
    bytes[60..64].copy_from_slice(&900_i32.to_be_bytes());
    std::fs::write(&path, &bytes).expect("written");
    let error = Store::open(&path).err().expect("refused");
    assert!(
        matches!(error, StoreError::Newer { found: 900, .. }),
        "{error}"
    );
    assert!(
        error
            .to_string()
            .contains("was written by a newer version of Kith (its format is 900"),
        "{error}"
    );
    assert_eq!(std::fs::read(&path).expect("read"), bytes);
    assert!(!path.with_extension("db-wal").exists());
}

#[test]
fn what_is_no_database_of_kith_is_refused_and_left_as_it_is() {
    let (folder, path) = on_disk();
    let foreign = folder.path().join("notes.txt");
    std::fs::write(&foreign, "shopping list, quite long, ".repeat(40)).expect("written");
    let before = std::fs::read(&foreign).expect("read");
    let error = Store::open(&foreign).err().expect("refused");
    assert_eq!(
        error.to_string(),
        format!(
            "{} is not a database of Kith. It was left as it is; set another data_dir, or move the file away",
            foreign.display()
        )
    );
    assert_eq!(std::fs::read(&foreign).expect("read"), before);
    let other = rusqlite::Connection::open(folder.path().join("other.db")).expect("made");
    other
        .execute_batch("PRAGMA user_version = 1; CREATE TABLE mine (x)")
        .expect("filled");
    assert!(matches!(
        Store::open(&folder.path().join("other.db")),
        Err(StoreError::NotADatabase { .. })
    ));
    assert!(matches!(
        Store::open(folder.path()),
        Err(StoreError::NotADatabase { .. })
    ));
    drop(path);
}

#[test]
fn a_read_only_database_is_named_with_its_cure() {
    let (_folder, path) = on_disk();
    drop(open(&path));
    let mut rights = std::fs::metadata(&path).expect("looked at").permissions();
    rights.set_readonly(true);
    std::fs::set_permissions(&path, rights).expect("set");
    let error = Store::open(&path).err().expect("refused").to_string();
    assert_eq!(
        error,
        format!(
            "the database {} is read-only. Give this user the right to write the file and its folder",
            path.display()
        )
    );
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let (folder, _path) = on_disk();
    let file = folder.path().join("file");
    std::fs::write(&file, "x").expect("written");
    let error = Store::open(&file.join("kith.db"))
        .err()
        .expect("refused")
        .to_string();
    assert!(
        error.starts_with(&format!(
            "cannot open the database {}",
            file.join("kith.db").display()
        )),
        "{error}"
    );
}

#[cfg(unix)]
#[test]
fn files_that_others_could_read_are_closed_and_a_folder_of_others_is_left_alone() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &std::path::Path| {
        std::fs::metadata(path)
            .expect("looked at")
            .permissions()
            .mode()
            & 0o777
    };
    let open_to_all = |path: &std::path::Path, mode| {
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).expect("set");
    };
    let (_folder, path) = on_disk();
    let folder = path.parent().expect("a folder");
    for stranger in [None, Some("index.html")] {
        drop(open(&path));
        if let Some(name) = stranger {
            std::fs::write(folder.join(name), "somebody serves this").expect("written");
        }
        open_to_all(folder, 0o755);
        open_to_all(&path, 0o644);
        let store = open(&path);
        assert_eq!(mode(&path), 0o600);
        assert_eq!(mode(folder), if stranger.is_some() { 0o755 } else { 0o700 });
        drop(store);
    }
}

#[test]
fn a_second_daemon_does_not_start_where_the_lock_file_was_deleted() {
    let (_folder, path) = on_disk();
    let lock = path.with_extension("db.lock");
    drop(open(&path));
    let first = open(&path);
    std::fs::remove_file(&lock).expect("deleted");
    // Trying leaves a lock file behind: not even then.
    for _ in 0..3 {
        let error = Store::open(&path).err().expect("refused").to_string();
        assert!(
            error.contains("is in use by another program, perhaps a Kith whose lock file"),
            "{error}"
        );
    }
    store_all(&first, vec![said(TALK, 1, "still here")]);
    drop(first);
    // Once it is closed the next one starts, also where the lock file is gone, as after a move to another machine.
    std::fs::remove_file(&lock).expect("deleted");
    assert_eq!(
        texts(
            &open(&path)
                .load_history(TALK, None, 5)
                .wait()
                .expect("read")
        ),
        ["still here"]
    );
    drop(open(&path));
}
