//! A third language is files only: these catalogs are Polish in three lines, and no code knows of it.

use kith_language::Catalog;
